//! Sessions: worlds that outlast a call.

pub(crate) mod expiry;
pub(crate) mod holding;
mod id;
mod ledger;
mod registry;
#[expect(
    clippy::module_inception,
    reason = "a session is the heart of sessions"
)]
mod session;

pub(crate) use id::SessionId;
pub(crate) use ledger::Dormant;
pub(crate) use registry::Registry;
pub(crate) use session::{Session, Turn, Wish};
