//! The handshake and the tool list, as captured from the real program.

use serde_json::{Value, json};

use super::script::ToolChanges;

const TOOLS: &str = include_str!("../../fixtures/playwright-mcp-0.0.83-tools.json");
const INITIALIZE: &str = include_str!("../../fixtures/playwright-mcp-0.0.83-initialize.json");

/// The newest revision that has `initialize`, which is what the real one settles on.
const NEWEST_OLD: &str = "2025-11-25";
const OLD_VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", NEWEST_OLD];
const NEW_VERSION: &str = "2026-07-28";

fn captured(json: &str) -> Value {
    serde_json::from_str(json).expect("BUG: a fixture is not JSON")
}

/// The names of the real tools.
pub fn tool_names() -> Vec<String> {
    let tools = captured(TOOLS);
    let tools = tools["tools"].as_array().cloned().unwrap_or_default();
    let names = tools.iter().filter_map(|tool| tool["name"].as_str());
    names.map(ToOwned::to_owned).collect()
}

/// The result of `initialize`.
pub(super) fn initialize(asked_for: &str) -> Value {
    let mut result = captured(INITIALIZE);
    let known = OLD_VERSIONS.contains(&asked_for);
    result["protocolVersion"] = json!(if known { asked_for } else { NEWEST_OLD });
    result
}

/// The result of `server/discover`.
pub(super) fn discover() -> Value {
    let server = captured(INITIALIZE)["serverInfo"].clone();
    json!({
        "resultType": "complete",
        "supportedVersions": [NEW_VERSION],
        "capabilities": {"tools": {}},
        "ttlMs": 0,
        "cacheScope": "private",
        "_meta": {"io.modelcontextprotocol/serverInfo": server},
    })
}

/// The result of `tools/list`.
pub(super) fn tools(changes: &ToolChanges) -> Value {
    let mut result = captured(TOOLS);
    if let Some(tools) = result["tools"].as_array_mut() {
        tools.retain(|tool| !is_in(&changes.remove, &tool["name"]));
        tools.iter_mut().for_each(|tool| change(tool, changes));
    }
    result
}

fn change(tool: &mut Value, changes: &ToolChanges) {
    if is_in(&changes.break_schema, &tool["name"]) {
        tool["inputSchema"] = json!({"type": "no such type", "properties": 7});
    }
    let new_name = tool["name"]
        .as_str()
        .and_then(|name| changes.rename.get(name));
    if let Some(name) = new_name {
        tool["name"] = json!(name);
    }
}

fn is_in(names: &[String], name: &Value) -> bool {
    names.iter().any(|other| name.as_str() == Some(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_captured_list_is_changed_exactly_as_told() {
        assert_eq!(tool_names().len(), 25);
        let changes = ToolChanges {
            rename: [("browser_click".into(), "browser_press".into())].into(),
            remove: vec!["browser_tabs".into()],
            break_schema: vec!["browser_type".into()],
        };
        let changed = tools(&changes);
        let changed = changed["tools"].as_array().unwrap();
        let find = |name: &str| changed.iter().find(|tool| tool["name"] == name);
        assert_eq!(changed.len(), 24);
        assert!(find("browser_click").is_none() && find("browser_tabs").is_none());
        assert!(find("browser_press").is_some());
        assert_eq!(
            find("browser_type").unwrap()["inputSchema"]["properties"],
            7
        );
        assert_eq!(
            find("browser_navigate").unwrap()["inputSchema"]["type"],
            "object"
        );
    }

    #[test]
    fn an_old_revision_is_granted_and_an_unknown_one_is_not() {
        assert_eq!(initialize("2024-11-05")["protocolVersion"], "2024-11-05");
        assert_eq!(initialize("2026-07-28")["protocolVersion"], "2025-11-25");
    }
}
