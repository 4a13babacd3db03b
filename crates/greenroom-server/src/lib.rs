//! Greenroom's server: from a call over any transport to a leased browser and back.
//!
//! ```text
//! mcp/ http/ local/   edges: each turns what it hears into a call and an answer into its own words
//!        |
//!     service/        the one facade
//!        |
//!     dispatch/       validate, choose a world, run, answer
//!      |      |  \
//!  tools/ session/ fleet/    the catalogue; worlds that outlast a call; named pools of browsers
//! ```
//!
//! Edges know the facade alone. rmcp stays in [`mcp`], axum in [`http`].

mod dispatch;
mod fleet;
pub mod http;
pub mod identity;
pub mod local;
pub mod mcp;
pub mod service;
mod session;
pub mod shutdown;
pub mod tools;

pub use dispatch::Dispatcher;
pub use fleet::{Fleet, browser_kind};
pub use service::Service;
pub use shutdown::Shutdown;
