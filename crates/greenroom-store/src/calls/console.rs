//! Console messages of a page.

use serde::{Deserialize, Serialize};

use super::parts::{self, Part};
use crate::error::{Result, StoreError};
use crate::ids::{Principal, RefId};
use crate::store::Store;

/// How serious a message is, most serious first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConsoleLevel {
    /// Errors, uncaught exceptions among them.
    Error,
    /// Warnings.
    Warning,
    /// What a page says.
    Info,
    /// What only its author wants to know.
    Debug,
}

/// One message of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsoleMessage {
    /// How serious it is.
    pub level: ConsoleLevel,
    /// What it says.
    pub text: String,
    /// Where it came from, such as `https://example.org/app.js:12`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
}

impl ConsoleMessage {
    /// A message from nowhere in particular.
    pub fn new(level: ConsoleLevel, text: impl Into<String>) -> Self {
        Self {
            level,
            text: text.into(),
            location: None,
        }
    }
}

impl Store {
    /// The console messages of a response, oldest first: all of them, or those of a level and the
    /// more serious ones. Never a difference to what was read before.
    pub async fn console(
        &self,
        principal: Principal,
        ref_id: RefId,
        level: Option<ConsoleLevel>,
    ) -> Result<Vec<ConsoleMessage>> {
        let json = self
            .read_with(move |view| {
                parts::require_response(view, &principal, ref_id)?;
                parts::read_all(view, &principal, ref_id, Part::Console)
            })
            .await?;
        let Some(json) = json else {
            return Ok(Vec::new());
        };
        let mut messages: Vec<ConsoleMessage> =
            serde_json::from_slice(&json).map_err(|error| StoreError::Unreadable {
                source: error.into(),
            })?;
        messages.retain(|message| level.is_none_or(|level| message.level <= level));
        Ok(messages)
    }
}
