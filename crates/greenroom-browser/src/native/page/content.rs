//! The way between a frame and the element that holds it.

use std::time::Duration;

use super::element::{ELEMENTS, Element};
use super::error::{ToolError, is_document_gone};
use super::frame::Frame;
use super::world;
use crate::native::deadline::Deadline;
use crate::native::error::CdpError;
use crate::native::protocol::dom::{DescribeNode, GetFrameOwner, ResolveNode};

/// How long it is waited for what is yet to be told of a frame.
const ARRIVING: Duration = Duration::from_secs(1);

/// The frame that an element holds, if it holds one.
pub(super) async fn frame_in(
    element: &Element,
    deadline: Deadline,
) -> Result<Option<Frame>, ToolError> {
    let node = DescribeNode {
        object_id: Some(element.object_id.clone()),
        ..DescribeNode::default()
    };
    let node = element.session.call_within(deadline.left(), node).await;
    let node = node.map_err(|error| element.frame.explain(error, "the look at it"))?;
    let Some(id) = node.node.frame_id else {
        return Ok(None);
    };
    // The browser may know of a frame before we have been told: each process tells of its own.
    let known = element
        .page
        .until(|books| books.frames.get(&id).is_some().then_some(()));
    let _ = deadline.at_most(ARRIVING).limit(known).await;
    Ok(Some(element.page.frame(id)))
}

/// The frame around a frame; none for the main frame. One that has just come to another process may
/// be known before it is known where it belongs.
async fn parent_of(frame: &Frame, deadline: Deadline) -> Result<Option<Frame>, ToolError> {
    let looked = frame.page.until(|books| {
        let info = books.frames.get(&frame.id);
        match info.map(|info| info.parent.clone()) {
            _ if frame.id == *books.frames.main() => Some(Ok(None)),
            None => Some(Err(ToolError::FrameGone)),
            Some(None) => None,
            Some(Some(parent)) => Some(Ok(Some(frame.page.frame(parent)))),
        }
    });
    let looked = deadline.at_most(ARRIVING).limit(looked).await;
    looked.flatten().unwrap_or(Err(ToolError::FrameGone))
}

/// The element that holds a frame; none for the main frame.
pub(super) async fn owner_of(
    frame: &Frame,
    deadline: Deadline,
) -> Result<Option<Element>, ToolError> {
    let Some(parent) = parent_of(frame, deadline).await? else {
        return Ok(None);
    };
    let (session, installed) = world::enter(&parent.page, &parent.id, deadline).await?;
    let frame_id = frame.id.clone();
    let owner = session.call_within(deadline.left(), GetFrameOwner { frame_id });
    let owner = owner.await.map_err(|error| match error {
        // The document around it knows of no such frame.
        CdpError::Refused { .. } => ToolError::FrameGone,
        error => parent.explain(error, "the look at it"),
    })?;
    let resolve = ResolveNode {
        backend_node_id: Some(owner.backend_node_id),
        execution_context_id: Some(installed.context),
        object_group: Some(ELEMENTS.to_owned()),
    };
    let resolved = session.call_within(deadline.left(), resolve).await;
    let resolved = resolved.map_err(|error| {
        if is_document_gone(&error) {
            return ToolError::FrameGone;
        }
        parent.explain(error, "the look at it")
    })?;
    let object_id = resolved.object.object_id.ok_or(ToolError::FrameGone)?;
    Ok(Some(Element {
        page: parent.page.clone(),
        frame: parent,
        session,
        object_id,
    }))
}
