//! `greenroom stdio`: one MCP client on stdin and stdout.
//!
//! Where a server runs on the data directory, this is a bridge to it: bytes go to its socket and
//! back. Otherwise this process runs the pools itself and takes them down when stdin ends.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use greenroom_config::Settings;
use greenroom_server::identity::Principal;
use greenroom_server::local::{Running, connect};
use greenroom_server::{Shutdown, mcp};
use tokio::io::{AsyncWriteExt as _, copy};
use tokio::net::UnixStream;

use crate::cli::SettingsArgs;
use crate::exit::Code;
use crate::house::House;
use crate::signals::EndSignals;
use crate::telemetry;
use crate::wiring::{self, Setup};

/// What is left of a hasty end may take this long.
const LAST_MOMENT: Duration = Duration::from_secs(1);

pub(super) fn run(args: &SettingsArgs) -> anyhow::Result<Code> {
    let setup = Setup::read(args)?;
    let settings = Arc::new(setup.settings.clone()?);
    telemetry::start(settings.server.log_level);
    let runtime = wiring::runtime()?;
    let code = runtime.block_on(async {
        match running_server(&settings).await {
            Some(server) => bridge(server).await,
            None => own_pools(&setup, settings).await,
        }
    });
    // Whoever owns a process ends it now, if that has not been done in good order. A read of stdin
    // may still be blocked: it is not waited for.
    runtime.shutdown_timeout(LAST_MOMENT);
    code
}

async fn running_server(settings: &Settings) -> Option<UnixStream> {
    let running = Running::read(&settings.server.data_dir)?;
    connect(&running.socket).await.ok()
}

/// Ends when the client closes stdin or the server hangs up.
async fn bridge(server: UnixStream) -> anyhow::Result<Code> {
    let (mut from_server, mut to_server) = server.into_split();
    let (mut stdin, mut stdout) = mcp::stdio();
    let client_done = async {
        copy(&mut stdin, &mut to_server).await?;
        to_server.shutdown().await
    };
    let server_done = async {
        copy(&mut from_server, &mut stdout).await?;
        stdout.flush().await
    };
    let mut server_done = std::pin::pin!(server_done);
    tokio::select! {
        result = client_done => result.context("the connection to the server broke")?,
        result = &mut server_done => {
            result.context("the connection to the server broke")?;
            anyhow::bail!("the server ended; start it again with greenroom serve");
        }
    }
    // What the server still has to say to requests that were sent before stdin ended.
    server_done
        .await
        .context("the connection to the server broke")?;
    Ok(Code::Ok)
}

async fn own_pools(setup: &Setup, settings: Arc<Settings>) -> anyhow::Result<Code> {
    let mut signals = EndSignals::listen()?;
    let house = House::open(setup, settings).await?;
    let shutdown = Shutdown::new();
    let (read, write) = mcp::stdio();
    let client = mcp::serve_stream(
        house.service(),
        Principal::local(),
        read,
        write,
        shutdown.clone(),
    );
    let mut client = std::pin::pin!(client);
    let client_left = tokio::select! {
        _ = &mut client => true,
        () = signals.next() => false,
    };
    let killer = house.killer();
    let end = async {
        if client_left {
            return house.close().await;
        }
        let client_leaves = async {
            client.await;
        };
        house.end(&shutdown, client_leaves).await
    };
    // A client that has left may add a signal if the end takes long: that is its first, not a second.
    let insisted = async {
        if client_left {
            signals.next().await;
        }
        signals.next().await;
    };
    tokio::select! {
        ended = end => ended.map(|()| Code::Ok),
        () = insisted => {
            killer.kill().await;
            Ok(Code::Failed)
        }
    }
}
