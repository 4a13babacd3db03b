//! Tools that need nothing but the record: through the running server, else from the file itself.

use anyhow::Context as _;
use greenroom_server::Archive;
use greenroom_server::local::{LocalClient, Running};
use serde_json::{Map, Value, json};

use crate::cli::SettingsArgs;
use crate::telemetry;
use crate::wiring::{self, Setup};

/// The result of a tool, in the words of MCP.
pub(super) fn ask(
    settings: &SettingsArgs,
    tool: &str,
    arguments: Map<String, Value>,
) -> anyhow::Result<Value> {
    let settings = Setup::read(settings)?.settings?;
    telemetry::start(settings.server.log_level);
    let server = &settings.server;
    wiring::runtime()?.block_on(async {
        if let Some(running) = Running::read(&server.data_dir)
            && let Ok(mut client) = LocalClient::connect(&running.socket).await
        {
            let answer = client.call(tool, arguments).await;
            return answer
                .context("the server does not answer")?
                .map_err(anyhow::Error::msg);
        }
        if !server.database_path.exists() {
            anyhow::bail!(
                "nothing is recorded in {}; name another data directory with --data-dir",
                server.database_path.display()
            );
        }
        let archive = Archive::open(server).await?;
        let answer = archive.call(tool, arguments).await;
        archive.close().await;
        let answer = answer.map_err(anyhow::Error::msg)?;
        Ok(json!({
            "content": answer.content,
            "isError": answer.is_error,
            "structuredContent": answer.structured,
            "_meta": answer.meta,
        }))
    })
}
