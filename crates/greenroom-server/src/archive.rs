//! What can be asked of the record alone, without a fleet: for commands, when no server runs.

use greenroom_config::ServerSettings;
use serde_json::{Map, Value};

use crate::dispatch::{CallError, describe_dormant, list};
use crate::identity::{Caller, ConnectionId, Principal};
use crate::reading;
use crate::record::{Journal, JournalError};
use crate::service::Answer;
use crate::session::Registry;
use crate::tools::extra::ExtraTools;
use crate::tools::row::OwnTool;
use crate::tools::validate::{self, Call};

/// The record of a data directory on which no server runs.
pub struct Archive {
    journal: Journal,
    caller: Caller,
}

impl Archive {
    /// Opens the record of these settings, as this machine's own user.
    ///
    /// # Errors
    /// As [`Journal::open`].
    pub async fn open(settings: &ServerSettings) -> Result<Self, JournalError> {
        Ok(Self {
            journal: Journal::open(settings).await?,
            caller: Caller {
                principal: Principal::local(),
                // A reader of its own, so that looking here moves nobody's cursor.
                connection: Some(ConnectionId(0)),
            },
        })
    }

    /// Answers a tool that needs nothing but the record.
    ///
    /// # Errors
    /// When the tool needs browsers or does not exist.
    pub async fn call(&self, tool: &str, arguments: Map<String, Value>) -> Result<Answer, String> {
        let call = validate::check(tool, arguments.into(), &ExtraTools::default());
        let Call::Own { tool, arguments } = call.map_err(|refusal| refusal.to_string())? else {
            return Err(needs_a_server(tool));
        };
        let answer = match tool {
            OwnTool::GetContent => {
                reading::get_content(&self.journal, &self.caller, &arguments).await
            }
            OwnTool::GetConsoleContent => {
                reading::get_console_content(&self.journal, &self.caller, &arguments).await
            }
            OwnTool::ListSessions => {
                let sessions = Registry::new(self.journal.store().clone());
                let dormant = sessions.dormant(&self.caller.principal).await;
                let listed: Vec<Value> = dormant.iter().map(describe_dormant).collect();
                Ok(Answer::data(list(0, &listed)))
            }
            OwnTool::PoolStatus | OwnTool::CreateSession | OwnTool::CloseSession => {
                return Err(needs_a_server("it"));
            }
        };
        Ok(answer.unwrap_or_else(CallError::into_answer))
    }

    /// Closes the record.
    pub async fn close(self) {
        self.journal.close().await;
    }
}

fn needs_a_server(what: &str) -> String {
    format!("{what} needs a running server; start one with greenroom serve")
}
