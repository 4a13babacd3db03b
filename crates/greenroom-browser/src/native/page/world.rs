//! Puts our script into a frame.

use std::time::Duration;

use super::Page;
use super::error::{ToolError, is_document_gone, is_frame_elsewhere};
use super::frames::Installed;
use super::script::SCRIPT;
use crate::native::conn::Session;
use crate::native::deadline::Deadline;
use crate::native::error::CdpError;
use crate::native::protocol::FrameId;
use crate::native::protocol::page::CreateIsolatedWorld;
use crate::native::protocol::runtime::Evaluate;

const WORLD: &str = "greenroom";

/// How often a document may be replaced under us before we give up.
const ATTEMPTS: usize = 10;

/// How long a frame that is on its way to another process is waited for.
const MOVING: Duration = Duration::from_secs(2);

/// The refs of a document begin with this.
pub(super) fn prefix(number: u32) -> String {
    match number {
        0 => String::new(),
        number => format!("f{number}"),
    }
}

/// Where our script is in a frame; it is put there if it is not.
pub(super) async fn enter(
    page: &Page,
    id: &FrameId,
    deadline: Deadline,
) -> Result<(Session, Installed), ToolError> {
    for _ in 0..ATTEMPTS {
        let known = page.read(|books| {
            let info = books.frames.get(id)?;
            Some((info.session.clone(), info.installed))
        });
        let (session, installed) = known.ok_or(ToolError::FrameGone)?;
        if let Some(installed) = installed {
            return Ok((session, installed));
        }
        match install(page, id, &session, deadline).await {
            Ok(installed) => {
                page.write(|books| books.frames.installed(id, &session, installed));
                return Ok((session, installed));
            }
            Err(error) if is_document_gone(&error) => {}
            // A frame whose process has crashed stays where it is, empty.
            Err(CdpError::Crashed { .. }) if session.id() != page.session().id() => {
                return Err(ToolError::FrameGone);
            }
            Err(error) if is_frame_elsewhere(&error) => {
                has_moved(page, id, &session, deadline, error).await?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    let what = "it was looked at".to_owned();
    Err(ToolError::Navigated { what })
}

async fn install(
    page: &Page,
    id: &FrameId,
    session: &Session,
    deadline: Deadline,
) -> Result<Installed, CdpError> {
    let world = CreateIsolatedWorld {
        frame_id: id.clone(),
        world_name: Some(WORLD.to_owned()),
        ..CreateIsolatedWorld::default()
    };
    let made = session.call_within(deadline.left(), world).await?;
    let number = page.0.numbers.next();
    // A document keeps its number, also when two of us come at the same time.
    let number_it = format!(
        "{}\n;(() => {{ if (greenroom.number === undefined) {{ greenroom.number = {number};\
         greenroom.configure({{ prefix: '{}' }}); }} return greenroom.number; }})()",
        *SCRIPT,
        prefix(number)
    );
    let script = Evaluate {
        context_id: Some(made.execution_context_id),
        ..Evaluate::value_of(number_it)
    };
    let evaluated = session.call_within(deadline.left(), script).await?;
    if let Some(thrown) = evaluated.exception_details {
        return Err(CdpError::Malformed {
            method: "Runtime.evaluate",
            detail: thrown.message(),
        });
    }
    let number = evaluated
        .result
        .read()
        .map_err(|error| CdpError::Malformed {
            method: "Runtime.evaluate",
            detail: error.to_string(),
        })?;
    Ok(Installed {
        context: made.execution_context_id,
        number,
    })
}

/// Waits until a frame is in another process than it was, or gone.
async fn has_moved(
    page: &Page,
    id: &FrameId,
    from: &Session,
    deadline: Deadline,
    error: CdpError,
) -> Result<(), ToolError> {
    let moved = page.until(|books| match books.frames.get(id) {
        Some(info) if info.session.id() == from.id() => None,
        Some(_) => Some(Ok(())),
        None => Some(Err(ToolError::FrameGone)),
    });
    match deadline.at_most(MOVING).limit(moved).await {
        Some(Some(moved)) => moved,
        Some(None) => Err(ToolError::PageClosed),
        None => Err(error.into()),
    }
}
