//! Where frames are on the page.
//!
//! Our script measures within its frame; input events go to the page as a whole. The browser tells
//! where the box of a frame's element is, seen from the outermost frame of the same process; from
//! there it goes on to the process of the frame above.

use super::content::owner_of;
use super::error::ToolError;
use super::frame::Frame;
use crate::native::deadline::Deadline;
use crate::native::protocol::dom::GetBoxModel;

/// Where the upper left corner of a frame is on the page.
pub(super) async fn origin_of(frame: &Frame, deadline: Deadline) -> Result<(f64, f64), ToolError> {
    let (mut left, mut top) = (0.0, 0.0);
    let mut frame = frame.clone();
    while let Some(owner) = owner_of(&frame, deadline).await? {
        let model = GetBoxModel {
            object_id: Some(owner.object_id.clone()),
            ..GetBoxModel::default()
        };
        let model = owner.session.call_within(deadline.left(), model).await?;
        if let [x, y, ..] = model.model.content[..] {
            left += x;
            top += y;
        }
        frame = local_root(owner.frame)?;
    }
    Ok((left, top))
}

/// The outermost frame of the same process.
fn local_root(mut frame: Frame) -> Result<Frame, ToolError> {
    while let Some(parent) = frame.parent()? {
        if parent.info()?.session.id() != frame.info()?.session.id() {
            break;
        }
        frame = parent;
    }
    Ok(frame)
}
