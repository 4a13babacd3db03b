//! `greenroom sessions`: the sessions of this user.

use serde_json::{Map, Value};

use super::record;
use crate::cli::{SessionsArgs, SettingsArgs};
use crate::exit::Code;
use crate::output;

pub(super) fn run(args: &SessionsArgs, settings: &SettingsArgs) -> anyhow::Result<Code> {
    let result = record::ask(settings, "list_sessions", Map::new())?;
    let listed = &result["structuredContent"];
    output::to_stdout(&if args.json {
        format!("{listed:#}\n")
    } else {
        render(listed)
    })?;
    Ok(Code::Ok)
}

/// One line per session.
fn render(listed: &Value) -> String {
    let sessions = listed["sessions"].as_array().cloned().unwrap_or_default();
    if sessions.is_empty() {
        return "no sessions\n".to_owned();
    }
    let lines = sessions.iter().map(|session| {
        let text = |name: &str| session[name].as_str().unwrap_or("-").to_owned();
        let idle = session["idle_seconds"].as_u64().unwrap_or_default();
        format!(
            "{}  {}  pool {}  instance {}  idle {idle} s  {}\n",
            text("session_id"),
            text("state"),
            text("browser_pool"),
            text("browser_instance"),
            session["label"].as_str().unwrap_or_default(),
        )
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_session_is_one_line_and_none_is_said_so() {
        assert_eq!(render(&json!({"sessions": []})), "no sessions\n");
        let one = json!({"sessions": [{
            "session_id": "shop", "state": "parked", "browser_pool": "WORK",
            "browser_instance": null, "idle_seconds": 7, "label": "checkout",
        }]});
        assert_eq!(
            render(&one),
            "shop  parked  pool WORK  instance -  idle 7 s  checkout\n"
        );
    }
}
