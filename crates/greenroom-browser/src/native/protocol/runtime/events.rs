//! What scripts tell.

use serde::Deserialize;

use super::super::{Event, FrameId, ScriptId};
use super::{ExecutionContextId, RemoteObject};

event! {
    /// A world has come.
    ExecutionContextCreated = "Runtime.executionContextCreated" {
        context: ExecutionContextDescription,
    }
    /// A world has gone.
    ExecutionContextDestroyed = "Runtime.executionContextDestroyed" {
        execution_context_id: ExecutionContextId,
    }
    /// All worlds have gone.
    ExecutionContextsCleared = "Runtime.executionContextsCleared" {}
    /// A script has called us.
    BindingCalled = "Runtime.bindingCalled" {
        name: String,
        payload: String,
        execution_context_id: ExecutionContextId,
    }
    /// Something was written to the console.
    ConsoleApiCalled = "Runtime.consoleAPICalled" {
        /// `log`, `warning`, `error`, `assert`…
        #[serde(rename = "type")]
        kind: String,
        args: Vec<RemoteObject>,
        execution_context_id: ExecutionContextId,
        timestamp: f64,
        stack_trace: Option<StackTrace>,
    }
    /// An exception that nobody caught.
    ExceptionThrown = "Runtime.exceptionThrown" {
        timestamp: f64,
        exception_details: ExceptionDetails,
    }
}

received! {
    /// What was thrown, and where. Lines and columns count from 0.
    ExceptionDetails {
        text: String,
        line_number: i64,
        column_number: i64,
        url: Option<String>,
        stack_trace: Option<StackTrace>,
        exception: Option<RemoteObject>,
        execution_context_id: Option<ExecutionContextId>,
    }
    /// A world of scripts.
    ExecutionContextDescription {
        id: ExecutionContextId,
        origin: String,
        name: String,
        unique_id: String,
        #[serde(default)]
        aux_data: ContextAuxData,
    }
    /// Where something was said.
    StackTrace { call_frames: Vec<CallFrame> }
    /// One place of it. Lines and columns count from 0.
    CallFrame {
        function_name: String,
        script_id: ScriptId,
        url: String,
        line_number: i64,
        column_number: i64,
    }
}

/// Which frame a world belongs to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[allow(missing_docs, reason = "named and documented by the protocol")]
pub struct ContextAuxData {
    /// Whether it is the page's own.
    pub is_default: bool,
    /// `default`, `isolated` or `worker`.
    #[serde(rename = "type")]
    pub kind: String,
    pub frame_id: FrameId,
}

impl ExceptionDetails {
    /// What a person would be shown: the error with its stack, or whatever was thrown.
    pub fn message(&self) -> String {
        let thrown = self.exception.as_ref();
        let described = thrown.and_then(|thrown| thrown.description.clone());
        let plain = || {
            let value = thrown.and_then(|thrown| thrown.value.as_ref())?;
            Some(format!("{} {}", self.text, value.get()))
        };
        described
            .or_else(plain)
            .unwrap_or_else(|| self.text.clone())
    }
}
