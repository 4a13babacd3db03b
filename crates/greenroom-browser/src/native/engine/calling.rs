//! Calls of an instance.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::call::{Call, EngineError, Reply, Stage};
use tokio::sync::oneshot::error::RecvError;
use tokio::sync::{OwnedMutexGuard, oneshot};

use super::{NativeInstance, Room};
use crate::native::answer::{Answer, compose};
use crate::native::deadline::Deadline;
use crate::native::error::CdpError;
use crate::native::page::{Page, ToolError};
use crate::native::protocol::TargetId;
use crate::native::tools::{self, Work};

/// What is left of a call's time for its answer, when the tool has used up its own.
const FOR_THE_ANSWER: Duration = Duration::from_millis(500);

/// How long a tool is waited for once the page is blocked. One that was interrupted between two
/// things it does comes to its end at once, and its own answer tells what was done; one that the
/// page keeps waiting does not.
const INTERRUPTED: Duration = Duration::from_millis(100);

/// How often something had blocked each tab before a call.
type Blocked = HashMap<TargetId, u64>;

/// The turn of a call on a page.
struct Turn {
    page: Page,
    _guard: OwnedMutexGuard<()>,
}

impl NativeInstance {
    /// Runs one tool.
    pub async fn call(&self, call: &Call, deadline: Duration) -> Result<Reply, EngineError> {
        let deadline = Deadline::after(deadline);
        let outcome = self.answer(call, deadline).await;
        outcome.map_err(|error| match error {
            EngineError::Timeout { stage, .. } => EngineError::Timeout {
                what: call.tool.clone(),
                stage,
                after: deadline.whole(),
            },
            other => other,
        })
    }

    async fn answer(&self, call: &Call, deadline: Deadline) -> Result<Reply, EngineError> {
        if call.tool == tools::CLOSE {
            return self.close(deadline).await;
        }
        let room = self.room(deadline).await?;
        if let Some(refusal) = tools::refusal(call, room.tabs().current().as_ref()) {
            return reply(&room, refusal, deadline).await;
        }
        let turn = match take_turn(&room, call, deadline).await? {
            Ok(turn) => turn,
            Err(failure) => return reply(&room, failure, deadline).await,
        };
        let before = blocked_before(&room);
        let was_alive = room.browser().is_alive();
        let work = Work {
            room: room.clone(),
            call: call.clone(),
            deadline: Deadline::after(for_the_tool(deadline.left())),
        };
        let outcome = match work_on(work, turn, &before, deadline).await {
            Ok(answer) => reply(&room, answer, deadline).await,
            Err(error) => Err(error),
        };
        outcome.map_err(|error| if was_alive { at_work(error) } else { error })
    }

    /// Closes all tabs: the world ends, and the next call takes another one.
    async fn close(&self, deadline: Deadline) -> Result<Reply, EngineError> {
        self.end_room(deadline).await?;
        Ok(tools::closed())
    }
}

/// Waits for the turn of a call on the current tab. What answers a dialog has none, because the
/// call that brought the dialog up still has its own; nor has what is for tabs as such.
async fn take_turn(
    room: &Room,
    call: &Call,
    deadline: Deadline,
) -> Result<Result<Option<Turn>, Answer>, EngineError> {
    if tools::needs_no_turn(&call.tool) {
        return Ok(Ok(None));
    }
    let page = match page_for(room, call, deadline).await {
        Ok(page) => page,
        Err(error) => return tool_failed(&error).map(Err),
    };
    let turn = deadline.limit(page.turn()).await;
    let guard = turn.ok_or_else(|| timeout(Stage::Waiting))?;
    page.forget_deeds();
    Ok(Ok(Some(Turn {
        page,
        _guard: guard,
    })))
}

/// The page that a call is for. One that crashed is told of, unless another one is wanted anyway:
/// whoever looks at a page or acts on it must not get a blank one in its place.
async fn page_for(room: &Room, call: &Call, deadline: Deadline) -> Result<Page, ToolError> {
    let crashed = room.replace_crashed(deadline).await?;
    if crashed && call.tool != tools::NAVIGATE {
        return Err(CdpError::Crashed { sent: false }.into());
    }
    room.ensure_tab(deadline).await
}

/// Runs a tool in a task of its own, and waits for it until it is done or the page blocked.
async fn work_on(
    work: Work,
    turn: Option<Turn>,
    before: &Blocked,
    deadline: Deadline,
) -> Result<Answer, EngineError> {
    let room = work.room.clone();
    let page = turn.as_ref().map(|turn| turn.page.clone());
    let (answer, mut working) = oneshot::channel();
    tokio::spawn(async move {
        let room = work.room.clone();
        let done = work.run().await;
        // If nobody waits for it any more, what it did is told with the next answer, unless that
        // was told already; and whoever waits for its turn must find that.
        if let Err(Ok(late)) = answer.send(done) {
            let told = turn.as_ref().map_or(0, |turn| turn.page.told_deeds());
            room.finished_late(late.without_first(told));
        }
        drop(turn);
    });
    let waiting = async {
        tokio::select! {
            biased;
            done = &mut working => return outcome(done),
            () = blocked(&room, before) => {}
        }
        match deadline.at_most(INTERRUPTED).limit(&mut working).await {
            Some(done) => outcome(done),
            None => Ok(interrupted(page.as_ref())),
        }
    };
    let waited = deadline.limit(waiting).await;
    waited.unwrap_or_else(|| Err(timeout(Stage::Answering)))
}

/// What there is to say of a tool that the page keeps waiting: what it has begun.
fn interrupted(page: Option<&Page>) -> Answer {
    let begun = page.map(Page::tell_deeds).unwrap_or_default();
    begun.into_iter().fold(Answer::showing(), Answer::ran)
}

/// What failed after a tool was at work may have happened, whatever the last command says of itself:
/// the ones before may have gone out.
fn at_work(error: EngineError) -> EngineError {
    match error {
        EngineError::Died { death, .. } => EngineError::Died { death, sent: true },
        EngineError::Timeout {
            what,
            stage: Stage::Sending,
            after,
        } => EngineError::Timeout {
            what,
            stage: Stage::Answering,
            after,
        },
        other => other,
    }
}

/// The time of a tool: most of the call's.
fn for_the_tool(left: Duration) -> Duration {
    left - FOR_THE_ANSWER.min(left / 10)
}

fn timeout(stage: Stage) -> EngineError {
    EngineError::Timeout {
        what: String::new(),
        stage,
        after: Duration::ZERO,
    }
}

/// What a tool has done: an answer, unless nothing can be said of the page any more.
fn outcome(done: Result<Result<Answer, ToolError>, RecvError>) -> Result<Answer, EngineError> {
    let done = done.map_err(|error| EngineError::Protocol {
        detail: format!("the tool was lost on the way ({error})"),
    })?;
    done.or_else(|error| tool_failed(&error))
}

fn tool_failed(error: &ToolError) -> Result<Answer, EngineError> {
    match error {
        ToolError::Browser(fatal) if error.is_fatal() => Err(engine_error(fatal)),
        _ => Ok(Answer::failed(error)),
    }
}

fn engine_error(error: &CdpError) -> EngineError {
    EngineError::from(error.clone())
}

async fn reply(room: &Room, answer: Answer, deadline: Deadline) -> Result<Reply, EngineError> {
    compose(room, answer, deadline)
        .await
        .map_err(|error| match &error {
            ToolError::Browser(fatal) => engine_error(fatal),
            other => EngineError::Upstream {
                code: 0,
                message: other.to_string(),
                data: None,
            },
        })
}

fn count(page: &Page) -> u64 {
    page.read(|books| books.journal.blocked())
}

fn blocked_before(room: &Arc<Room>) -> Blocked {
    let tabs = room.tabs().list().into_iter();
    tabs.map(|page| (page.target().clone(), count(&page)))
        .collect()
}

/// Waits until something blocks the current tab that did not before.
async fn blocked(room: &Arc<Room>, before: &Blocked) {
    loop {
        let current = room.tabs().current();
        let blocked = async {
            let Some(page) = &current else {
                return std::future::pending().await;
            };
            let known = before.get(page.target()).copied().unwrap_or_default();
            let is_new = page.until(|books| {
                let is_new = books.journal.blocked() > known && books.modal().is_some();
                is_new.then_some(())
            });
            match is_new.await {
                Some(()) => {}
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = blocked => return,
            () = room.tabs().another_is_current(current.as_ref()) => {}
        }
    }
}
