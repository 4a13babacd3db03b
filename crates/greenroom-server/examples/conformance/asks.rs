//! Tools that ask the client something in the middle of a call, as the legacy era does it.
#![expect(deprecated, reason = "the legacy era has sampling and logging")]

use std::time::Duration;

use rmcp::model::{
    CallToolResult, ClientCapabilities, ContentBlock, LoggingLevel, LoggingMessageNotificationParam,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Map, Value, json};

use super::fixtures::{parsed, said};

/// The tools of this module.
pub(crate) const TOOLS: [&str; 7] = [
    "test_tool_with_logging",
    "test_logging_tool",
    "test_sampling",
    "test_elicitation",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_missing_capability",
];

/// Runs one of [`TOOLS`].
pub(crate) async fn call(
    tool: &str,
    arguments: &Map<String, Value>,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    let argument = |key: &str| {
        arguments
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    match tool {
        "test_tool_with_logging" => log(context).await,
        "test_logging_tool" if context.meta.log_level().is_some() => log(context).await,
        "test_logging_tool" => Ok(said("nobody asked for a log")),
        "test_sampling" => sample(argument("prompt"), context).await,
        "test_elicitation" => elicit(argument("message"), &user_schema(), context).await,
        "test_elicitation_sep1034_defaults" => {
            elicit("Please confirm", &defaults_schema(), context).await
        }
        "test_elicitation_sep1330_enums" => elicit("Please choose", &enums_schema(), context).await,
        _ => need_sampling(context),
    }
}

async fn log(context: &RequestContext<RoleServer>) -> Result<CallToolResult, ErrorData> {
    for message in [
        "Tool execution started",
        "Tool processing data",
        "Tool execution completed",
    ] {
        let entry = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(message));
        let _ = context.peer.notify_logging_message(entry).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(said("logged"))
}

async fn sample(
    prompt: &str,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    let request = parsed(json!({
        "messages": [{"role": "user", "content": {"type": "text", "text": prompt}}],
        "maxTokens": 100,
    }))?;
    match context.peer.create_message(request).await {
        Ok(message) => {
            let message = serde_json::to_value(message).unwrap_or_default();
            let text = message["content"]["text"].as_str().unwrap_or_default();
            Ok(said(&format!("LLM response: {text}")))
        }
        Err(error) => Ok(CallToolResult::error(vec![ContentBlock::text(
            error.to_string(),
        )])),
    }
}

async fn elicit(
    message: &str,
    schema: &Value,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    let request = parsed(json!({"message": message, "requestedSchema": schema}))?;
    match context.peer.create_elicitation(request).await {
        Ok(answer) => {
            let answer = serde_json::to_value(answer).unwrap_or_default();
            let (action, content) = (&answer["action"], &answer["content"]);
            let action = action.as_str().unwrap_or_default();
            Ok(said(&format!(
                "Elicitation completed: action={action}, content={content}"
            )))
        }
        Err(error) => Ok(CallToolResult::error(vec![ContentBlock::text(
            error.to_string(),
        )])),
    }
}

fn need_sampling(context: &RequestContext<RoleServer>) -> Result<CallToolResult, ErrorData> {
    let declared = context
        .client_capabilities()
        .is_some_and(|client| client.sampling.is_some());
    if declared {
        return Ok(said("the client can sample"));
    }
    let required = ClientCapabilities::builder().enable_sampling().build();
    Err(ErrorData::missing_required_client_capability(required))
}

fn user_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "username": {"type": "string", "description": "User's response"},
            "email": {"type": "string", "description": "User's email address"},
        },
        "required": ["username", "email"],
    })
}

fn defaults_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
            "verified": {"type": "boolean", "default": true},
        },
        "required": [],
    })
}

fn enums_schema() -> Value {
    let titled = |noun: &str| {
        json!([
            {"const": "value1", "title": format!("First {noun}")},
            {"const": "value2", "title": format!("Second {noun}")},
            {"const": "value3", "title": format!("Third {noun}")},
        ])
    };
    let options = ["option1", "option2", "option3"];
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": {"type": "string", "enum": options},
            "titledSingle": {"type": "string", "oneOf": titled("Option")},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": options}},
            "titledMulti": {"type": "array", "items": {"anyOf": titled("Choice")}},
        },
        "required": [],
    })
}
