//! The edges of the server: HTTP, MCP over HTTP and over streams, and the generated manual.
#![allow(clippy::unwrap_used, missing_docs)]

mod http_api;
mod http_blobs;
mod http_guard;
mod http_openapi;
mod http_routes;
mod http_server;
mod http_sessions;
mod http_stateless;
mod mcp_resources;
mod stream_eras;
mod stream_life;
mod support;
mod tools_reference;
