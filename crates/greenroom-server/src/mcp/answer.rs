//! From the service's answer to MCP's result, losing nothing.

use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde::Deserialize;
use serde_json::Value;

use crate::service::{Answer, UnknownTool};

/// The result that carries everything `answer` says.
pub(crate) fn result(answer: Answer) -> CallToolResult {
    let mut result = CallToolResult::success(answer.content.iter().map(block).collect());
    result.is_error = Some(answer.is_error);
    result.structured_content = answer.structured;
    result.meta = (!answer.meta.is_empty()).then(|| MetaObject(answer.meta));
    result
}

/// A failure that the model should read.
pub(crate) fn failure(text: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// The protocol's own answer to a tool that does not exist.
pub(crate) fn unknown_tool(unknown: &UnknownTool) -> ErrorData {
    let hint = match &unknown.nearest {
        Some(nearest) => format!("did you mean '{nearest}'?"),
        None => "tools/list names those that exist".to_owned(),
    };
    ErrorData::invalid_params(format!("unknown tool '{}': {hint}", unknown.name), None)
}

/// A block of a kind that rmcp does not know is shown as text rather than dropped.
fn block(value: &Value) -> ContentBlock {
    match ContentBlock::deserialize(value) {
        Ok(block) => block,
        Err(error) => {
            tracing::warn!(%error, "content block of an unknown kind sent as text");
            ContentBlock::text(value.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    fn sent(answer: Answer) -> Value {
        serde_json::to_value(result(answer)).unwrap()
    }

    #[test]
    fn every_kind_of_content_arrives_as_it_was() {
        let content = json!([
            {"type": "text", "text": "a", "_meta": {"k": 1}, "annotations": {"audience": ["user"], "priority": 0.5}},
            {"type": "image", "data": "aGk=", "mimeType": "image/png", "_meta": {"k": 2}},
            {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"},
            {"type": "resource_link", "uri": "blob://sha256-1", "name": "shot", "title": "Shot",
             "description": "d", "mimeType": "image/png", "size": 12, "_meta": {"k": 3}},
            {"type": "resource", "resource": {"uri": "x://y", "mimeType": "text/plain", "text": "t"}},
            {"type": "resource", "resource": {"uri": "x://z", "mimeType": "a/b", "blob": "aGk="}},
        ]);
        let answer = Answer {
            content: content.as_array().unwrap().clone(),
            ..Answer::default()
        };
        assert_eq!(sent(answer)["content"], content);
    }

    #[test]
    fn structured_content_metadata_and_failure_are_kept() {
        let mut meta = Map::new();
        meta.insert("greenroom/ref_id".into(), json!("r1"));
        let answer = Answer {
            is_error: true,
            structured: Some(json!({"pools": []})),
            meta,
            ..Answer::default()
        };
        let sent = sent(answer);
        assert_eq!(sent["isError"], true);
        assert_eq!(sent["structuredContent"], json!({"pools": []}));
        assert_eq!(sent["_meta"], json!({"greenroom/ref_id": "r1"}));
    }

    #[test]
    fn a_block_of_an_unknown_kind_is_readable_text() {
        let odd = json!({"type": "hologram", "data": "x"});
        let answer = Answer {
            content: vec![odd.clone()],
            ..Answer::default()
        };
        let sent = sent(answer);
        assert_eq!(sent["content"][0]["type"], "text");
        assert_eq!(sent["content"][0]["text"], odd.to_string());
    }

    #[test]
    fn an_unknown_tool_is_an_invalid_parameter_with_a_way_on() {
        let near = unknown_tool(&UnknownTool {
            name: "brwser".into(),
            nearest: Some("browser".into()),
        });
        assert_eq!(near.code.0, -32602);
        assert_eq!(
            near.message,
            "unknown tool 'brwser': did you mean 'browser'?"
        );
        let far = unknown_tool(&UnknownTool {
            name: "x".into(),
            nearest: None,
        });
        assert!(far.message.ends_with("tools/list names those that exist"));
    }
}
