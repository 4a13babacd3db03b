//! The tools that Greenroom answers itself, without a browser.

use serde_json::{Map, Value, json};

use super::{CallError, Dispatcher};
use crate::identity::Caller;
use crate::reading;
use crate::service::Answer;
use crate::session::{Dormant, Session, SessionId, Wish};
use crate::tools::row::OwnTool;

impl Dispatcher {
    pub(super) async fn run_own(
        &self,
        caller: &Caller,
        tool: OwnTool,
        arguments: &Map<String, Value>,
    ) -> Result<Answer, CallError> {
        let text = |name: &str| arguments.get(name).and_then(Value::as_str);
        let journal = &self.0.journal;
        let data = match tool {
            OwnTool::GetContent => return reading::get_content(journal, caller, arguments).await,
            OwnTool::GetConsoleContent => {
                return reading::get_console_content(journal, caller, arguments).await;
            }
            OwnTool::PoolStatus => self.pool_status(&caller.principal, text("pool_name"))?,
            OwnTool::CreateSession => {
                check_storage_state(arguments.get("storage_state"))?;
                let wish = Wish {
                    label: text("label").map(str::to_owned),
                    storage_state: arguments.get("storage_state").cloned(),
                    lost: None,
                };
                self.create_session(caller, text("browser_pool"), wish)
                    .await?
            }
            OwnTool::ListSessions => self.list_sessions(caller).await,
            OwnTool::CloseSession => {
                let id = text("session_id").unwrap_or_default();
                self.close_session(caller, id).await?
            }
        };
        Ok(Answer::data(data))
    }

    async fn create_session(
        &self,
        caller: &Caller,
        pool: Option<&str>,
        wish: Wish,
    ) -> Result<Value, CallError> {
        let pool = self.fleet().pool(pool)?;
        let session = self.sessions().open(&caller.principal, pool, wish).await?;
        let idle_timeout = pool.session_timeout(None).as_secs();
        Ok(json!({
            "session_id": session.id().as_str(),
            "browser_pool": pool.name(),
            "label": session.label(),
            "state": "active",
            "idle_timeout_seconds": idle_timeout,
        }))
    }

    async fn list_sessions(&self, caller: &Caller) -> Value {
        let sessions = self.sessions().of(&caller.principal);
        let mut listed: Vec<Value> = sessions.iter().map(|session| describe(session)).collect();
        let active = listed.len();
        let dormant = self.sessions().dormant(&caller.principal).await;
        listed.extend(dormant.iter().map(describe_dormant));
        list(active, &listed)
    }

    async fn close_session(&self, caller: &Caller, id: &str) -> Result<Value, CallError> {
        let id = SessionId::parse(id).map_err(|error| CallError::Invalid(error.to_string()))?;
        self.sessions().close(&caller.principal, &id).await?;
        Ok(json!({"session_id": id.as_str(), "state": "closed"}))
    }
}

/// What `list_sessions` answers.
pub(crate) fn list(active: usize, sessions: &[Value]) -> Value {
    json!({"active_sessions": active, "sessions": sessions})
}

fn describe(session: &Session) -> Value {
    let view = session.view();
    let idle = view
        .idle_since()
        .map_or(0, |since| since.elapsed().as_secs());
    json!({
        "session_id": session.id().as_str(),
        "label": session.label(),
        "browser_pool": session.pool().name(),
        "browser_instance": view.holding.as_ref().map(|held| held.id.to_string()),
        "state": "active",
        "tab_count": view.tab_count,
        "in_call": view.calls > 0,
        "idle_seconds": idle,
    })
}

/// A session of an earlier run, or of another process: nothing of it is in this one.
pub(crate) fn describe_dormant(session: &Dormant) -> Value {
    json!({
        "session_id": session.id,
        "label": session.label,
        "browser_pool": session.pool,
        "browser_instance": null,
        "state": session.state,
        "tab_count": null,
        "in_call": false,
        "idle_seconds": session.idle_seconds,
    })
}

/// A state that no browser can take would make a session that can do nothing.
fn check_storage_state(state: Option<&Value>) -> Result<(), CallError> {
    let Some(state) = state else {
        return Ok(());
    };
    let lists = |name: &str| state.get(name).is_none_or(Value::is_array);
    if state.is_object() && lists("cookies") && lists("origins") {
        return Ok(());
    }
    Err(CallError::Invalid(
        r#"storage_state must be what Playwright's storageState gives: {"cookies": [...], "origins": [...]}"#.to_owned(),
    ))
}
