//! The tools that Greenroom answers itself, without a browser.

use serde_json::{Map, Value, json};

use super::{CallError, Dispatcher};
use crate::identity::Caller;
use crate::service::Answer;
use crate::session::{Session, SessionId, Wish};
use crate::tools::row::OwnTool;

impl Dispatcher {
    pub(super) fn run_own(
        &self,
        caller: &Caller,
        tool: OwnTool,
        arguments: &Map<String, Value>,
    ) -> Result<Answer, CallError> {
        let text = |name: &str| arguments.get(name).and_then(Value::as_str);
        let data = match tool {
            OwnTool::PoolStatus => self.pool_status(&caller.principal, text("pool_name"))?,
            OwnTool::CreateSession => {
                check_storage_state(arguments.get("storage_state"))?;
                let wish = Wish {
                    label: text("label").map(str::to_owned),
                    storage_state: arguments.get("storage_state").cloned(),
                };
                self.create_session(caller, text("browser_pool"), wish)?
            }
            OwnTool::ListSessions => self.list_sessions(caller),
            OwnTool::CloseSession => {
                self.close_session(caller, text("session_id").unwrap_or_default())?
            }
        };
        Ok(Answer::data(data))
    }

    fn create_session(
        &self,
        caller: &Caller,
        pool: Option<&str>,
        wish: Wish,
    ) -> Result<Value, CallError> {
        let pool = self.fleet().pool(pool)?;
        let session = self.sessions().open(&caller.principal, pool, wish)?;
        let idle_timeout = pool.session_timeout(None).as_secs();
        Ok(json!({
            "session_id": session.id().as_str(),
            "browser_pool": pool.name(),
            "label": session.label(),
            "state": "active",
            "idle_timeout_seconds": idle_timeout,
        }))
    }

    fn list_sessions(&self, caller: &Caller) -> Value {
        let sessions = self.sessions().of(&caller.principal);
        let listed: Vec<Value> = sessions.iter().map(|session| describe(session)).collect();
        json!({"active_sessions": listed.len(), "sessions": listed})
    }

    fn close_session(&self, caller: &Caller, id: &str) -> Result<Value, CallError> {
        let id = SessionId::parse(id).map_err(|error| CallError::Invalid(error.to_string()))?;
        self.sessions().close(&caller.principal, &id)?;
        Ok(json!({"session_id": id.as_str(), "state": "closed"}))
    }
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
