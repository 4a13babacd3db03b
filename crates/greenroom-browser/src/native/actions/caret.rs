//! Where typing begins.

use serde_json::Value;

use crate::native::deadline::Deadline;
use crate::native::page::{Element, ToolError};
use crate::native::protocol::runtime::CallFunctionOn;

/// Focuses a field. One that had no focus is typed into from its beginning, as upstream does;
/// one that had it keeps the caret where the agent has put it. It runs in our own world, where the
/// page cannot change what these functions do.
const FOCUS: &str = "function() {
  const hadFocus = this.getRootNode().activeElement === this && this.ownerDocument.hasFocus();
  greenroom.focus(this);
  if (hadFocus || !(this instanceof HTMLInputElement || this instanceof HTMLTextAreaElement)) return;
  try { this.setSelectionRange(0, 0); } catch { /* A kind of field that has no caret to set. */ }
}";

/// Focuses a field for typing.
pub(super) async fn focus(element: &Element, deadline: Deadline) -> Result<(), ToolError> {
    let command = CallFunctionOn {
        function_declaration: FOCUS.to_owned(),
        object_id: Some(element.object_id.clone()),
        user_gesture: Some(true),
        ..CallFunctionOn::default()
    };
    let focused = element
        .session
        .call_within(deadline.left(), command)
        .await?;
    match focused.exception_details {
        None => Ok(()),
        // The plain question fails with the same, in words for the agent.
        Some(_) => element.ask::<Value>("focus", (), deadline).await.map(drop),
    }
}
