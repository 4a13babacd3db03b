//! `greenroom call TOOL`: one tool call from the command line.

use std::sync::Arc;

use anyhow::Context as _;
use greenroom_config::Settings;
use greenroom_server::identity::{Caller, Principal};
use greenroom_server::local::{LocalClient, Running};
use serde_json::{Map, Value, json};

use crate::cli::{CallArgs, SettingsArgs};
use crate::exit::Code;
use crate::house::House;
use crate::output;
use crate::signals::EndSignals;
use crate::telemetry;
use crate::wiring::{self, Setup};

pub(super) fn run(args: &CallArgs, settings: &SettingsArgs) -> anyhow::Result<Code> {
    let setup = Setup::read(settings)?;
    let settings = Arc::new(setup.settings.clone()?);
    telemetry::start(settings.server.log_level);
    let mut arguments = parse(&args.arg)?;
    if takes_a_mode(&args.tool) {
        arguments
            .entry("response_mode")
            .or_insert_with(|| "inline".into());
    }
    let result = wiring::runtime()?.block_on(async {
        let running = Running::read(&settings.server.data_dir);
        if let Some(running) = running
            && let Ok(mut client) = LocalClient::connect(&running.socket).await
        {
            let answer = client.call(&args.tool, arguments).await;
            return answer
                .context("the server does not answer")?
                .map_err(anyhow::Error::msg);
        }
        on_own_pools(&setup, settings, &args.tool, arguments).await
    })?;
    let failed = result["isError"] == true;
    output::to_stdout(&if args.json {
        format!("{result:#}\n")
    } else {
        readable(&result)
    })?;
    Ok(if failed { Code::Failed } else { Code::Ok })
}

/// Whether the tool runs in a browser. A person at a terminal wants to read what it says, however
/// long.
fn takes_a_mode(tool: &str) -> bool {
    tool.starts_with("browser_") && tool != "browser_pool_status"
}

/// Without a server the pools live for this one call.
async fn on_own_pools(
    setup: &Setup,
    settings: Arc<Settings>,
    tool: &str,
    arguments: Map<String, Value>,
) -> anyhow::Result<Value> {
    let mut signals = EndSignals::listen()?;
    let house = House::open(setup, settings).await?;
    let service = house.service();
    let caller = Caller {
        principal: Principal::local(),
        connection: Some(service.open_connection()),
    };
    let answer = tokio::select! {
        answer = service.call(&caller, tool, arguments, None) => Some(answer),
        () = signals.next() => None,
    };
    tokio::select! {
        closed = house.close() => closed?,
        () = signals.next() => {}
    }
    match answer.context("interrupted; whether the call took effect is unknown")? {
        Ok(answer) => {
            let mut result = json!({
                "content": answer.content,
                "isError": answer.is_error,
                "_meta": answer.meta,
            });
            if let Some(structured) = answer.structured {
                result["structuredContent"] = structured;
            }
            Ok(result)
        }
        Err(unknown) => {
            let hint = unknown
                .nearest
                .map_or(String::new(), |name| format!("; did you mean {name}?"));
            anyhow::bail!("unknown tool {}{hint}", unknown.name)
        }
    }
}

/// `name=value`, where a value that is JSON is taken as such and anything else as text.
fn parse(args: &[String]) -> anyhow::Result<Map<String, Value>> {
    let mut arguments = Map::new();
    for arg in args {
        let (name, value) = arg.split_once('=').with_context(|| {
            format!("'{arg}' is not name=value; write --arg url=https://example.com")
        })?;
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
        arguments.insert(name.to_owned(), value);
    }
    Ok(arguments)
}

/// The text of a result; what is not text is named with its size.
pub(super) fn readable(result: &Value) -> String {
    let blocks = result["content"].as_array().cloned().unwrap_or_default();
    let mut text = String::new();
    for block in blocks {
        match (block["text"].as_str(), block["data"].as_str()) {
            (Some(line), _) => text.push_str(line),
            (None, Some(data)) => {
                let kind = block["mimeType"].as_str().unwrap_or("data");
                text.push_str(&format!(
                    "[{kind}, {} bytes; --json prints it]",
                    data.len() / 4 * 3
                ));
            }
            (None, None) => text.push_str(&block.to_string()),
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_json_where_they_can_be_and_text_otherwise() {
        let args = [
            "url=https://example.com/?a=1",
            "fullPage=true",
            "values=[\"a\"]",
        ];
        let parsed = parse(&args.map(str::to_owned)).unwrap();
        let wanted = json!({"url": "https://example.com/?a=1", "fullPage": true, "values": ["a"]});
        assert_eq!(Value::Object(parsed), wanted);
        let refused = parse(&["url".to_owned()]).unwrap_err().to_string();
        assert!(refused.contains("name=value"), "{refused}");
    }
}
