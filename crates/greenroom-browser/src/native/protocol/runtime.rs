//! Scripts: evaluation, values, consoles, exceptions.

mod events;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Command, Done, ObjectId};
use crate::json;

pub use events::*;

/// A world of scripts in a frame. Ids are not used again within one process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ExecutionContextId(pub i64);

/// An argument of a function: a value, or something that the page holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum CallArgument {
    /// JSON.
    Value(Value),
    /// What JSON cannot say: `NaN`, `Infinity`, `-0`, `10n`.
    UnserializableValue(String),
    /// Something that the page holds.
    ObjectId(ObjectId),
}

command! {
    /// Asks for the events of this domain, and tells of the worlds that there are.
    Enable = "Runtime.enable" -> Done {}

    /// Runs a script.
    Evaluate = "Runtime.evaluate" -> Evaluated { expression: String } {
        context_id: ExecutionContextId,
        object_group: String,
        include_command_line_api: bool,
        silent: bool,
        return_by_value: bool,
        user_gesture: bool,
        await_promise: bool,
        /// Milliseconds, after which the script is stopped.
        timeout: f64,
        repl_mode: bool,
    }

    /// Runs a function, with an object as its `this` or in a world.
    CallFunctionOn = "Runtime.callFunctionOn" -> Evaluated { function_declaration: String } {
        object_id: ObjectId,
        execution_context_id: ExecutionContextId,
        arguments: Vec<CallArgument>,
        object_group: String,
        silent: bool,
        return_by_value: bool,
        user_gesture: bool,
        await_promise: bool,
    }

    /// What an object consists of.
    GetProperties = "Runtime.getProperties" -> Properties { object_id: ObjectId } {
        own_properties: bool,
        accessor_properties_only: bool,
    }

    /// Lets go of an object.
    ReleaseObject = "Runtime.releaseObject" -> Done { object_id: ObjectId }

    /// Lets go of all objects of a group.
    ReleaseObjectGroup = "Runtime.releaseObjectGroup" -> Done { object_group: String }

    /// Stops the script that runs.
    TerminateExecution = "Runtime.terminateExecution" -> Done {}

    /// Lets a target run that waits for us.
    RunIfWaitingForDebugger = "Runtime.runIfWaitingForDebugger" -> Done {}

    /// Lets scripts call us: a function of this name in every world that is meant.
    AddBinding = "Runtime.addBinding" -> Done { name: String } { execution_context_name: String }
}

impl Evaluate {
    /// A script whose value is wanted as JSON; promises are waited for.
    pub fn value_of(expression: impl Into<String>) -> Self {
        Self {
            expression: expression.into(),
            return_by_value: Some(true),
            await_promise: Some(true),
            ..Self::default()
        }
    }
}

received! {
    /// What a script gave, or threw.
    Evaluated { result: RemoteObject, exception_details: Option<ExceptionDetails> }

    /// A value of a script: itself, or a handle of it.
    ///
    /// The value stays JSON text until somebody wants it as something: most go on as they are.
    RemoteObject {
        #[serde(rename = "type")]
        kind: String,
        subtype: Option<String>,
        class_name: Option<String>,
        #[serde(default, deserialize_with = "present")]
        value: Option<Box<RawValue>>,
        unserializable_value: Option<String>,
        description: Option<String>,
        object_id: Option<ObjectId>,
        /// Given with what is written to the console.
        preview: Option<ObjectPreview>,
    }

    /// An object at a glance.
    ObjectPreview { properties: Vec<PropertyPreview> }

    /// A part of it; functions have no value.
    PropertyPreview { name: String, value: Option<String> }

    /// What an object consists of.
    Properties { result: Vec<PropertyDescriptor> }

    /// A part of an object.
    PropertyDescriptor { name: String, value: Option<RemoteObject>, enumerable: bool }
}

/// A value that is there, `null` included: that is a value like any other.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::deserialize(from).map(Some)
}

impl RemoteObject {
    /// The value, read as a type; `null` when there is none. Half a surrogate pair, which no text
    /// can hold, becomes the replacement character.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        json::decode(
            self.value
                .as_ref()
                .map_or("null", |value| value.get())
                .as_bytes(),
        )
    }
}
