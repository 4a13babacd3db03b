//! The server that the official MCP conformance suite is run against.
//!
//! The suite calls tools, prompts and resources by fixed names. This server offers them on the very
//! stack that Greenroom serves from: router, guard, endpoint, sessions, handler. Tools that only
//! answer come from a [`service`] like any other tool; what Greenroom itself does not offer
//! (prompts, resources, questions to the client) is answered by [`fixtures`], wrapped around the
//! handler, which passes everything else through.
//!
//! Prints its address as the first line on stdout and runs until stdin closes.

mod asks;
mod documents;
mod fixtures;
mod rounds;
mod service;

use std::io::{self, Write};

use greenroom_server::http::{Guard, Limits, router, run};
use greenroom_server::mcp::{Endpoint, EndpointOptions};
use greenroom_server::shutdown::Shutdown;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

use fixtures::{Changes, Fixtures};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .with_writer(io::stderr)
        .init();
    let service = service::answering();
    let shutdown = Shutdown::new();
    let limits = Limits::default();
    let changes = Changes::default();
    let endpoint = Endpoint::wrapping(
        &service,
        &EndpointOptions::default(),
        &shutdown,
        move |handler| Fixtures::around(handler, changes.clone()),
    );
    let gate = Guard::new(None, None, &[])?;
    let app = router(service, endpoint, gate, &limits, &shutdown);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    writeln!(io::stdout(), "http://{}/mcp", listener.local_addr()?)?;
    let stop = shutdown.clone();
    tokio::spawn(async move {
        let mut rest = Vec::new();
        let _ = tokio::io::stdin().read_to_end(&mut rest).await;
        stop.cancel();
    });
    run(listener, app, &limits, &shutdown).await;
    Ok(())
}
