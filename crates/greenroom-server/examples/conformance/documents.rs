//! The suite's prompts and resources.

use rmcp::ErrorData;
use serde_json::{Map, Value, json};

use super::service::PNG;

/// `prompts/list`.
pub(crate) fn prompts() -> Value {
    let argument = |name: &str| json!({"name": name, "description": name, "required": true});
    let prompt = |name: &str, arguments: Value| json!({"name": name, "description": format!("Fixture {name}."), "arguments": arguments});
    json!({"prompts": [
        prompt("test_simple_prompt", json!([])),
        prompt("test_prompt_with_arguments", json!([argument("arg1"), argument("arg2")])),
        prompt("test_prompt_with_embedded_resource", json!([argument("resourceUri")])),
        prompt("test_prompt_with_image", json!([])),
        prompt("test_input_required_result_prompt", json!([])),
    ]})
}

/// `prompts/get`.
pub(crate) fn prompt(name: &str, arguments: &Map<String, Value>) -> Result<Value, ErrorData> {
    let argument = |key: &str| {
        arguments
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let text = |text: String| json!({"role": "user", "content": {"type": "text", "text": text}});
    let messages = match name {
        "test_simple_prompt" => json!([text("This is a simple prompt for testing.".into())]),
        "test_prompt_with_arguments" => {
            let (one, two) = (argument("arg1"), argument("arg2"));
            json!([text(format!(
                "Prompt with arguments: arg1='{one}', arg2='{two}'"
            ))])
        }
        "test_prompt_with_embedded_resource" => json!([
            {"role": "user", "content": {"type": "resource", "resource": {
                "uri": argument("resourceUri"),
                "mimeType": "text/plain",
                "text": "Embedded resource content for testing.",
            }}},
            text("Please process the embedded resource above.".into()),
        ]),
        "test_prompt_with_image" => json!([
            {"role": "user", "content": {"type": "image", "data": PNG, "mimeType": "image/png"}},
            text("Please analyze the image above.".into()),
        ]),
        _ => {
            return Err(ErrorData::invalid_params(
                format!("unknown prompt '{name}'"),
                None,
            ));
        }
    };
    Ok(json!({"messages": messages}))
}

/// `resources/list`.
pub(crate) fn resources() -> Value {
    let resource = |uri: &str, mime: &str| json!({"uri": uri, "name": uri, "description": format!("Fixture {uri}."), "mimeType": mime});
    json!({"resources": [
        resource("test://static-text", "text/plain"),
        resource("test://static-binary", "image/png"),
        resource("test://watched-resource", "text/plain"),
    ]})
}

/// `resources/templates/list`.
pub(crate) fn templates() -> Value {
    json!({"resourceTemplates": [{
        "uriTemplate": "test://template/{id}/data",
        "name": "template",
        "description": "Fixture template.",
        "mimeType": "application/json",
    }]})
}

/// `resources/read`.
pub(crate) fn resource(uri: &str) -> Result<Value, ErrorData> {
    let text = |mime: &str, text: String| json!({"uri": uri, "mimeType": mime, "text": text});
    let contents = match uri {
        "test://static-text" => text(
            "text/plain",
            "This is the content of the static text resource.".into(),
        ),
        "test://static-binary" => json!({"uri": uri, "mimeType": "image/png", "blob": PNG}),
        "test://watched-resource" => text("text/plain", "Watched.".into()),
        _ => match template_id(uri) {
            Some(id) => {
                let data =
                    json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
                text("application/json", data.to_string())
            }
            None => {
                let data = json!({"uri": uri});
                return Err(ErrorData::resource_not_found(
                    "resource not found",
                    Some(data),
                ));
            }
        },
    };
    Ok(json!({"contents": [contents]}))
}

fn template_id(uri: &str) -> Option<&str> {
    uri.strip_prefix("test://template/")?.strip_suffix("/data")
}
