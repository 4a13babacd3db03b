//! `greenroom serve`: the pools behind one HTTP server, until a signal ends it.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use greenroom_config::{Key, Scope, ServerSettings, Settings};
use greenroom_server::http::{self, Guard, Limits};
use greenroom_server::local::{Claim, Running, listen, serve_socket, socket_path};
use greenroom_server::mcp::{Endpoint, EndpointOptions};
use greenroom_server::{Service, Shutdown};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::snippets;
use crate::cli::{ServeArgs, SettingsArgs};
use crate::exit::Code;
use crate::house::House;
use crate::output;
use crate::signals::EndSignals;
use crate::telemetry;
use crate::wiring::{self, Setup};

pub(super) fn run(args: &ServeArgs, settings: &SettingsArgs) -> anyhow::Result<Code> {
    let setup = Setup::read(settings)?;
    let settings = Arc::new(setup.settings.clone()?);
    telemetry::start(settings.server.log_level);
    wiring::runtime()?.block_on(serve(args, &setup, settings))
}

async fn serve(args: &ServeArgs, setup: &Setup, settings: Arc<Settings>) -> anyhow::Result<Code> {
    let mut signals = EndSignals::listen()?;
    let server = &settings.server;
    greenroom_browser::process::prepare_data_directory(&server.data_dir)?;
    let claim = Claim::take(&server.data_dir)?;
    let listeners = bind(server).await?;
    let port = listeners[0].local_addr()?.port();
    let url = format!("http://{}:{port}/mcp", url_host(&server.host));
    let socket = socket_path(&server.data_dir, &setup.runtime_dir());
    let local =
        listen(&socket).with_context(|| format!("cannot listen on {}", socket.display()))?;
    claim.announce(&Running {
        pid: std::process::id(),
        url: url.clone(),
        socket: socket.clone(),
    })?;

    let house = if args.quarantine_database {
        House::open_or_quarantine(setup, settings.clone()).await
    } else {
        House::open(setup, settings.clone()).await
    };
    let house = house.inspect_err(|_| drop(std::fs::remove_file(&socket)))?;
    let service = house.service();
    let shutdown = Shutdown::new();
    let mut edges = JoinSet::new();
    let limits = Limits::default();
    let endpoint = Endpoint::new(&service, &EndpointOptions::default(), &shutdown);
    let guard = guard(&settings)?;
    let app = http::router(service.clone(), endpoint, guard, &limits, &shutdown);
    for listener in listeners {
        let (app, limits, shutdown) = (app.clone(), limits.clone(), shutdown.clone());
        edges.spawn(async move { http::run(listener, app, &limits, &shutdown).await });
    }
    edges.spawn(serve_socket(service.clone(), local, shutdown.clone()));

    tokio::select! {
        () = announce_ready(&service, &url) => signals.next().await,
        () = signals.next() => {}
    }
    output::to_stderr("greenroom: shutting down; a second signal ends it at once\n");
    let killer = house.killer();
    let code = tokio::select! {
        result = house.end(&shutdown, all_ended(edges)) => result.map(|()| Code::Ok),
        () = signals.next() => {
            killer.kill().await;
            Ok(Code::Failed)
        }
    };
    let _ = std::fs::remove_file(&socket);
    drop(claim);
    code
}

/// Who may come in.
fn guard(settings: &Settings) -> anyhow::Result<Guard> {
    let server = &settings.server;
    let tokens: Vec<(String, String)> = server
        .auth_tokens
        .iter()
        .map(|token| (token.name.clone(), token.token.expose().to_owned()))
        .collect();
    // The built-in lists mean loopback at any port, which no entry of a list can say.
    let chosen = |key| settings.explain(&Scope::Global, key).level.is_some();
    let hosts = chosen(Key::AllowedHosts).then_some(server.allowed_hosts.as_slice());
    let origins = chosen(Key::AllowedOrigins).then_some(server.allowed_origins.as_slice());
    Ok(Guard::new(hosts, origins, &tokens)?)
}

/// Binds the configured address. `localhost` means both loopback addresses, because some clients
/// try only one of them; the second is a courtesy and may be missing.
async fn bind(server: &ServerSettings) -> anyhow::Result<Vec<TcpListener>> {
    let explain = |error: io::Error| match error.kind() {
        io::ErrorKind::AddrInUse => anyhow::anyhow!(
            "port {} on {} is in use; stop what holds it (ss -ltnp 'sport = :{0}'), or choose another with --port",
            server.port,
            server.host
        ),
        _ => anyhow::Error::new(error).context(format!(
            "cannot listen on {}:{}; check --host and --port",
            server.host, server.port
        )),
    };
    if server.host != "localhost" {
        let listener = TcpListener::bind((server.host.as_str(), server.port)).await;
        return Ok(vec![listener.map_err(explain)?]);
    }
    let first = TcpListener::bind(("127.0.0.1", server.port))
        .await
        .map_err(explain)?;
    let port = first.local_addr()?.port();
    let second = TcpListener::bind(("::1", port)).await.ok();
    Ok([Some(first), second].into_iter().flatten().collect())
}

/// The host as it is written in a URL that clients can use.
fn url_host(host: &str) -> String {
    match host.parse::<std::net::IpAddr>() {
        Ok(address) if address.is_unspecified() => "localhost".to_owned(),
        Ok(std::net::IpAddr::V6(address)) => format!("[{address}]"),
        _ => host.to_owned(),
    }
}

/// Says how far the browsers are until each pool has one or has failed to get one, then how to
/// connect. A pool that cannot start does not keep the others from being used.
async fn announce_ready(service: &Service, url: &str) {
    const STEP: Duration = Duration::from_millis(100);
    output::to_stderr(&format!("greenroom: listening at {url}\n"));
    let mut shown = String::new();
    loop {
        let (_, body) = service.readiness();
        let pools: Vec<(&String, &Value)> =
            body["pools"].as_object().into_iter().flatten().collect();
        let line = progress_line(&pools);
        if line != shown {
            output::to_stderr(&line);
            shown = line;
        }
        if pools.iter().all(|(_, pool)| pool["settled"] == true) {
            for (name, _) in pools
                .iter()
                .filter(|(_, pool)| pool["healthy_instances"] == 0)
            {
                let hint = "greenroom status tells why";
                output::to_stderr(&format!("greenroom: pool {name} has no browser; {hint}\n"));
            }
            output::to_stderr(&snippets::for_url(url));
            return;
        }
        tokio::time::sleep(STEP).await;
    }
}

fn progress_line(pools: &[(&String, &Value)]) -> String {
    let counts: Vec<String> = pools
        .iter()
        .map(|(name, pool)| {
            let (healthy, total) = (&pool["healthy_instances"], &pool["total_instances"]);
            format!("{name} {healthy}/{total}")
        })
        .collect();
    format!("greenroom: browsers ready: {}\n", counts.join(", "))
}

async fn all_ended(mut edges: JoinSet<()>) {
    while edges.join_next().await.is_some() {}
}
