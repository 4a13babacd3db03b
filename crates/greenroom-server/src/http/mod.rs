//! The HTTP edge: our own routes, the guard around all routes, and the server itself.
//!
//! A request passes the connection's bounds (`server`, `limits`, `stall`), then the guard
//! (`guard`: host, origin, token), then the content type that its route takes (`content_type`), then
//! the route (`routes`): one of our own (`api`) or MCP, a tower service that is given to [`router`] and trusts the principal that the guard put
//! into the request. Errors of our own are problem details (`problem`).

mod accept;
mod api;
mod authority;
mod body;
mod content_type;
mod guard;
mod limits;
mod problem;
mod routes;
mod server;
mod stall;
mod tokens;

pub use guard::Guard;
pub use limits::Limits;
pub use routes::router;
pub use server::run;

/// Settings that the HTTP edge cannot work with.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// An entry of the allowed hosts is none.
    #[error("'{0}' is no host: write it as name, name:port or [address]:port in ALLOWED_HOSTS")]
    Host(String),
    /// An entry of the allowed origins is none.
    #[error(
        "'{0}' is no origin: write it as http(s)://name or http(s)://name:port in ALLOWED_ORIGINS"
    )]
    Origin(String),
    /// A token that would let everybody in.
    #[error("the token of '{0}' is empty: give it one in AUTH_TOKENS")]
    EmptyToken(String),
}
