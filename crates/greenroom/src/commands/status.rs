//! `greenroom status`: the pools of the running server.

use std::time::Duration;

use anyhow::Context as _;
use greenroom_server::local::{LocalClient, Running};
use serde_json::{Map, Value};

use crate::cli::{SettingsArgs, StatusArgs};
use crate::exit::Code;
use crate::output;
use crate::wiring::{self, Setup};

pub(super) fn run(args: &StatusArgs, settings: &SettingsArgs) -> anyhow::Result<Code> {
    let settings = Setup::read(settings)?.settings?;
    let data_dir = &settings.server.data_dir;
    wiring::runtime()?.block_on(async {
        let client = match Running::read(data_dir) {
            Some(running) => LocalClient::connect(&running.socket).await.ok(),
            None => None,
        };
        let Some(mut client) = client else {
            output::to_stderr(&format!(
                "no greenroom server runs on {}; start one with greenroom serve\n",
                data_dir.display()
            ));
            return Ok(Code::NoServer);
        };
        loop {
            let status = fetch(&mut client).await?;
            output::to_stdout(&match (args.json, args.watch) {
                (true, _) => format!("{status:#}\n"),
                (false, true) => format!("\x1b[2J\x1b[H{}", render(&status)),
                (false, false) => render(&status),
            })?;
            if !args.watch {
                return Ok(Code::Ok);
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    })
}

async fn fetch(client: &mut LocalClient) -> anyhow::Result<Value> {
    let answer = client.call("browser_pool_status", Map::new()).await;
    let result = answer
        .context("the server does not answer")?
        .map_err(anyhow::Error::msg)?;
    Ok(result["structuredContent"].clone())
}

/// One line per pool and one per instance.
fn render(status: &Value) -> String {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut text = String::new();
    for pool in list(&status["pools"]) {
        let default = if pool["is_default"] == true {
            " (default)"
        } else {
            ""
        };
        text.push_str(&format!(
            "{}{default}: {} of {} healthy, {} leased, {} available, {} waiting  {}\n",
            word(&pool["name"]),
            pool["healthy_instances"],
            pool["total_instances"],
            pool["leased_instances"],
            pool["available_instances"],
            pool["waiters"],
            word(&pool["description"]),
        ));
        for instance in list(&pool["instances"]) {
            text.push_str(&render_instance(&instance));
        }
    }
    text
}

fn render_instance(instance: &Value) -> String {
    let alias = instance["alias"]
        .as_str()
        .map_or(String::new(), |alias| format!(" ({alias})"));
    let lease = match (
        &instance["lease_duration_ms"],
        instance["activity"].as_str(),
    ) {
        (Value::Null, _) => "free".to_owned(),
        (ms, Some(tool)) => format!("in {tool}, held for {} s", seconds(ms)),
        (ms, None) => format!("held for {} s", seconds(ms)),
    };
    let pid = instance["process_id"]
        .as_u64()
        .map_or("-".to_owned(), |pid| pid.to_string());
    let error = instance["health_check"]["error"]
        .as_str()
        .map_or(String::new(), |error| format!("  {error}"));
    format!(
        "  {}{alias}  {}  {}  pid {pid}  {lease}{error}\n",
        word(&instance["id"]),
        word(&instance["status"]),
        word(&instance["browser"]),
    )
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn seconds(ms: &Value) -> u64 {
    ms.as_u64().unwrap_or_default() / 1000
}
