//! An agent's own code, run where it sees the page's variables.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::error::{ToolError, is_document_gone};
use super::script::MAIN_WORLD;
use super::{Element, Page};
use crate::native::deadline::Deadline;
use crate::native::error::CdpError;
use crate::native::protocol::runtime::{CallArgument, CallFunctionOn, Evaluate, Evaluated};

/// What code gave: JSON, or nothing.
#[derive(Debug, Deserialize)]
pub struct Given {
    /// The value; none for `undefined`.
    pub value: Option<Box<RawValue>>,
}

impl Page {
    /// Runs a function or an expression in the main frame.
    pub async fn evaluate(&self, code: &str, deadline: Deadline) -> Result<Given, ToolError> {
        let script = Evaluate {
            user_gesture: Some(true),
            ..Evaluate::value_of(format!("({MAIN_WORLD})((\n{code}\n))"))
        };
        let evaluated = self.session().call_within(deadline.left(), script).await;
        given(evaluated)
    }
}

impl Element {
    /// Runs a function with this element as its argument, or an expression.
    pub async fn evaluate(&self, code: &str, deadline: Deadline) -> Result<Given, ToolError> {
        let object = self.main_world_object(deadline).await?;
        let command = CallFunctionOn {
            function_declaration: format!("(element) => ({MAIN_WORLD})((\n{code}\n), element)"),
            arguments: Some(vec![CallArgument::ObjectId(object.clone())]),
            object_id: Some(object),
            return_by_value: Some(true),
            await_promise: Some(true),
            user_gesture: Some(true),
            ..CallFunctionOn::default()
        };
        let evaluated = self.session.call_within(deadline.left(), command).await;
        match evaluated {
            // Its frame has gone to another process, which ends this one's session.
            Err(error) if error.is_page_gone() => {
                self.page.catch_up(deadline).await;
                Err(self.explain(error))
            }
            evaluated => given(evaluated),
        }
    }

    /// Code that leads its own frame elsewhere is told like code that leads the page elsewhere. The
    /// frame may be unknown for a moment, between the process that it was in and the next.
    fn explain(&self, error: CdpError) -> ToolError {
        let is_crash = matches!(error, CdpError::Crashed { .. });
        match self.frame.explain(error, "the code") {
            ToolError::FrameNavigated { .. } | ToolError::FrameGone if !is_crash => {
                let what = "the code".to_owned();
                ToolError::Navigated { what }
            }
            error => error,
        }
    }
}

fn given(evaluated: Result<Evaluated, CdpError>) -> Result<Given, ToolError> {
    let evaluated = evaluated.map_err(|error| {
        if is_document_gone(&error) {
            let what = "the code".to_owned();
            return ToolError::Navigated { what };
        }
        error.into()
    })?;
    if let Some(thrown) = evaluated.exception_details {
        let message = without_wrapping(&thrown.message());
        return Err(ToolError::Threw { message });
    }
    evaluated.result.read().map_err(|error| {
        let detail = error.to_string();
        let method = "Runtime.evaluate";
        CdpError::Malformed { method, detail }.into()
    })
}

/// What was thrown without the places of a stack that are in the code around the agent's, or in
/// the agent's own: it has no address, and its lines are not counted as the agent would.
fn without_wrapping(message: &str) -> String {
    let is_ours = |line: &str| {
        let place = line.trim_start();
        place.starts_with("at <anonymous>") || place.contains("greenroomEvaluate")
    };
    let told = message.lines().filter(|line| !is_ours(line));
    told.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_show_the_pages_own_places_only() {
        let stack = "Error: no\n    at f (http://a/x.js:1:2)\n    at <anonymous>:38:15\n    at greenroomEvaluate (<anonymous>:13:53)";
        assert_eq!(
            without_wrapping(stack),
            "Error: no\n    at f (http://a/x.js:1:2)"
        );
        assert_eq!(without_wrapping("Uncaught 5"), "Uncaught 5");
    }
}
