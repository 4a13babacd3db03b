//! The way between a frame and the element that holds it.

use super::element::{ELEMENTS, Element};
use super::error::{ToolError, is_document_gone};
use super::frame::Frame;
use super::world;
use crate::native::deadline::Deadline;
use crate::native::protocol::dom::{DescribeNode, GetFrameOwner, ResolveNode};

/// The frame that an element holds, if it holds one.
pub(super) async fn frame_in(
    element: &Element,
    deadline: Deadline,
) -> Result<Option<Frame>, ToolError> {
    let node = DescribeNode {
        object_id: Some(element.object_id.clone()),
        ..DescribeNode::default()
    };
    let node = element.session.call_within(deadline.left(), node).await?;
    let frame = node.node.frame_id;
    Ok(frame.map(|id| element.page.frame(id)))
}

/// The element that holds a frame; none for the main frame.
pub(super) async fn owner_of(
    frame: &Frame,
    deadline: Deadline,
) -> Result<Option<Element>, ToolError> {
    let Some(parent) = frame.parent()? else {
        return Ok(None);
    };
    let (session, installed) = world::enter(&parent.page, &parent.id, deadline).await?;
    let frame_id = frame.id.clone();
    let owner = session.call_within(deadline.left(), GetFrameOwner { frame_id });
    let owner = owner.await?;
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
        error.into()
    })?;
    let object_id = resolved.object.object_id.ok_or(ToolError::FrameGone)?;
    Ok(Some(Element {
        page: parent.page.clone(),
        frame: parent,
        session,
        object_id,
    }))
}
