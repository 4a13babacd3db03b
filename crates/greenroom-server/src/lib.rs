//! Greenroom's server: from a call over any transport to a leased browser and back.
//!
//! ```text
//! mcp/ http/ local/   edges: each turns what it hears into a call and an answer into its own words
//!        |
//!     service/        the one facade
//!        |
//!     dispatch/       validate, choose a world, run, record, answer
//!      |      |       |        |         |
//!  tools/  session/  fleet/  record/  reading/
//! ```
//!
//! `tools` is the catalogue, `session` worlds that outlast a call, `fleet` named pools of browsers,
//! `record` what is kept of every call (`reply` shapes what is said of it), `reading` how it is read
//! again, `snapshot` the tree form of a page.
//!
//! Edges know the facade alone. rmcp stays in [`mcp`], axum in [`http`].

mod archive;
mod dispatch;
mod fleet;
pub mod http;
pub mod identity;
pub mod local;
pub mod mcp;
mod reading;
mod record;
mod reply;
pub mod service;
mod session;
pub mod shutdown;
pub mod snapshot;
pub mod tools;

pub use archive::Archive;
pub use dispatch::Dispatcher;
pub use fleet::{Fleet, browser_kind};
pub use record::{Journal, JournalError};
pub use service::Service;
pub use shutdown::Shutdown;
