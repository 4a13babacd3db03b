//! What Greenroom offers to agents, and what it makes of their arguments.
//!
//! One table ([`catalog`]) says everything about a tool once. From its rows come the
//! JSON Schemas that clients see ([`schema`]), the check of every call before a lease is
//! taken ([`validate`]), the comparison with what an upstream serves ([`drift`]) and the
//! manual ([`mod@reference`]). A new tool is a new row; nothing else has to learn about it
//! but the code that answers it.
//!
//! A call moves through here once: [`validate::check`] takes a name and whatever the
//! client sent, and gives back a [`validate::Call`] in which the arguments are clean,
//! the defaults filled in and the addressing arguments set apart, or a
//! [`refusal::Refusal`] that tells the agent everything it has to change.

pub mod catalog;
pub mod drift;
pub mod extra;
pub mod reference;
pub mod refusal;
pub mod row;
pub mod schema;
mod suggest;
pub mod urls;
pub mod validate;

#[cfg(test)]
mod tests;
