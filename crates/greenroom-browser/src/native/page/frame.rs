//! A frame, and questions to our script in it.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::element::{ELEMENTS, Element};
use super::error::{ToolError, is_document_gone};
use super::frames::FrameInfo;
use super::{Page, world};
use crate::native::conn::Session;
use crate::native::deadline::Deadline;
use crate::native::error::CdpError;
use crate::native::protocol::FrameId;
use crate::native::protocol::runtime::{CallArgument, CallFunctionOn, Evaluated, RemoteObject};

/// How often a question is put again because the document was replaced under it.
const ATTEMPTS: usize = 5;

/// A frame of a page. It may be gone by the time that it is asked.
#[derive(Debug, Clone)]
pub struct Frame {
    pub(super) page: Page,
    pub(super) id: FrameId,
}

impl Frame {
    pub(super) fn new(page: Page, id: FrameId) -> Self {
        Self { page, id }
    }

    /// Its name in the browser.
    pub fn id(&self) -> &FrameId {
        &self.id
    }

    /// What is known of it.
    pub fn info(&self) -> Result<FrameInfo, ToolError> {
        let info = self.page.read(|books| books.frames.get(&self.id).cloned());
        info.ok_or(ToolError::FrameGone)
    }

    /// The frame that holds it; none for the main frame.
    pub fn parent(&self) -> Result<Option<Frame>, ToolError> {
        let parent = self.info()?.parent;
        Ok(parent.map(|id| Self::new(self.page.clone(), id)))
    }

    /// What an error of the browser means for whoever was at work in this frame.
    pub(super) fn explain(&self, error: CdpError, what: &str) -> ToolError {
        let (is_main, known) = self.page.read(|books| {
            let known = books.frames.get(&self.id).cloned();
            (self.id == *books.frames.main(), known)
        });
        let what = what.to_owned();
        match known {
            _ if is_main && is_document_gone(&error) => ToolError::Navigated { what },
            _ if is_main => error.into(),
            None if is_document_gone(&error) || error.is_page_gone() => ToolError::FrameGone,
            Some(_) if is_document_gone(&error) => ToolError::FrameNavigated { what },
            // The process that it was in has ended, or was left, and the page's own goes on.
            Some(info) if info.session.id() != self.page.session().id() => match error {
                CdpError::Crashed { .. } => ToolError::FrameGone,
                error if error.is_page_gone() => ToolError::FrameNavigated { what },
                error => error.into(),
            },
            Some(_) if matches!(error, CdpError::Detached { .. }) && !self.page.is_closed() => {
                ToolError::FrameNavigated { what }
            }
            _ => error.into(),
        }
    }

    /// Asks our script: `greenroom.<function>(arguments)`. Only for questions that change nothing:
    /// one is put again when the document was replaced under it.
    pub async fn ask<T: DeserializeOwned>(
        &self,
        function: &str,
        arguments: impl Serialize,
        deadline: Deadline,
    ) -> Result<T, ToolError> {
        let call = Asked::of_world(function, arguments, true)?;
        let (_, answer) = self.call(&call, deadline).await?;
        read(&answer, function)
    }

    /// The element that our script gives for a question.
    pub(super) async fn element(
        &self,
        function: &str,
        arguments: impl Serialize,
        deadline: Deadline,
    ) -> Result<Element, ToolError> {
        let call = Asked::of_world(function, arguments, false)?;
        let (session, answer) = self.call(&call, deadline).await?;
        let object_id = answer.object_id.ok_or(ToolError::FrameGone)?;
        Ok(Element {
            page: self.page.clone(),
            frame: self.clone(),
            session,
            object_id,
        })
    }

    async fn call(
        &self,
        asked: &Asked,
        deadline: Deadline,
    ) -> Result<(Session, RemoteObject), ToolError> {
        let mut last = None;
        for _ in 0..ATTEMPTS {
            let (session, installed) = world::enter(&self.page, &self.id, deadline).await?;
            let command = CallFunctionOn {
                execution_context_id: Some(installed.context),
                ..asked.command()
            };
            match session.call_within(deadline.left(), command).await {
                Ok(evaluated) => return Ok((session, unwrap(evaluated)?)),
                Err(error) if is_document_gone(&error) => {
                    let context = Some(installed.context);
                    self.page
                        .write(|books| books.frames.worlds_ended(&session, context));
                    last = Some(error);
                }
                Err(error) => return Err(self.explain(error, "the look at it")),
            }
        }
        let last = last.map(|error| self.explain(error, "the look at it"));
        Err(last.unwrap_or(ToolError::FrameGone))
    }
}

/// A question as it goes to the browser.
pub(super) struct Asked {
    declaration: String,
    arguments: Vec<CallArgument>,
    by_value: bool,
}

impl Asked {
    /// To our script in a world.
    fn of_world(
        function: &str,
        arguments: impl Serialize,
        by_value: bool,
    ) -> Result<Self, ToolError> {
        Ok(Self {
            declaration: format!("(given) => greenroom.{function}(given)"),
            arguments: vec![CallArgument::Value(json(function, arguments)?)],
            by_value,
        })
    }

    /// To our script, about an element.
    pub(super) fn of_element(function: &str, arguments: impl Serialize) -> Result<Self, ToolError> {
        Ok(Self {
            declaration: format!("function(given) {{ return greenroom.{function}(this, given); }}"),
            arguments: vec![CallArgument::Value(json(function, arguments)?)],
            by_value: true,
        })
    }

    pub(super) fn command(&self) -> CallFunctionOn {
        CallFunctionOn {
            function_declaration: self.declaration.clone(),
            arguments: Some(self.arguments.clone()),
            return_by_value: Some(self.by_value),
            await_promise: Some(true),
            silent: Some(true),
            object_group: (!self.by_value).then(|| ELEMENTS.to_owned()),
            ..CallFunctionOn::default()
        }
    }
}

fn json(function: &str, arguments: impl Serialize) -> Result<Value, ToolError> {
    serde_json::to_value(arguments).map_err(|error| {
        ToolError::Argument(format!(
            "The arguments of {function} cannot be sent ({error}); write them as JSON."
        ))
    })
}

/// The value of a script of ours, or what it threw.
pub(super) fn unwrap(evaluated: Evaluated) -> Result<RemoteObject, ToolError> {
    match evaluated.exception_details {
        Some(thrown) => Err(ToolError::of_script(&thrown)),
        None => Ok(evaluated.result),
    }
}

pub(super) fn read<T: DeserializeOwned>(
    answer: &RemoteObject,
    function: &str,
) -> Result<T, ToolError> {
    answer.read().map_err(|error| {
        let detail = format!("our script's {function} gave something else: {error}");
        let method = "Runtime.callFunctionOn";
        CdpError::Malformed { method, detail }.into()
    })
}
