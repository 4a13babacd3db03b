//! The accept loop and the life of a connection.
//!
//! The caller owns the socket and decides when it ends. While draining, nothing more is accepted,
//! idle connections close, and requests in flight may finish; when cancelled, connections are
//! dropped, which drops what they run. HTTP/1.1 only: every client of MCP speaks it, and its
//! connections are easy to bound.

use std::pin::pin;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

use super::accept::accept;
use super::limits::Limits;
use super::stall::StallGuard;
use crate::shutdown::Shutdown;

/// Serves `app` on `listener` until `shutdown`, and returns when no connection is left.
pub async fn run(listener: TcpListener, app: Router, limits: &Limits, shutdown: &Shutdown) {
    let http = builder(limits);
    let room = Arc::new(Semaphore::new(limits.connections));
    let connections = TaskTracker::new();
    loop {
        let next = async {
            let permit = room
                .clone()
                .acquire_owned()
                .await
                .expect("BUG: never closed");
            (accept(&listener).await, permit)
        };
        let (stream, permit) = tokio::select! {
            biased;
            () = shutdown.draining() => break,
            next = next => next,
        };
        let connection = serve(http.clone(), stream, app.clone(), limits, shutdown.clone());
        connections.spawn(async move {
            connection.await;
            drop(permit);
        });
    }
    drop(listener);
    connections.close();
    connections.wait().await;
}

fn builder(limits: &Limits) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .max_header_size(limits.header_bytes)
        .max_headers(limits.header_count);
    http
}

fn serve(
    http: http1::Builder,
    stream: TcpStream,
    app: Router,
    limits: &Limits,
    shutdown: Shutdown,
) -> impl Future<Output = ()> + use<> {
    // Answers are small and somebody waits for each.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "the connection keeps its delays");
    }
    let io = TokioIo::new(StallGuard::new(stream, limits.write_stall));
    let app = app.map_request(|request: hyper::Request<Incoming>| request.map(Body::new));
    async move {
        let mut connection = pin!(http.serve_connection(io, TowerToHyperService::new(app)));
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = shutdown.draining() => {
                connection.as_mut().graceful_shutdown();
                tokio::select! {
                    ended = connection => ended,
                    () = shutdown.cancelled() => return,
                }
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%error, "a connection broke off");
        }
    }
}
