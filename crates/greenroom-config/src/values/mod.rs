//! Values: the kinds of them, how each is read from text or TOML, and how it
//! is written again without giving secrets away.
//!
//! One parser serves every source. A source hands over a [`Raw`] value, which
//! says only in which form it was written; the [`Kind`] of the key decides
//! what that form may mean. So the environment and TOML cannot drift apart.

pub(crate) mod choices;
pub(crate) mod kind;
pub(crate) mod mask;
mod net;
pub(crate) mod parse;
mod paths;
mod programs;
pub(crate) mod raw;
pub(crate) mod render;
pub(crate) mod secret;
mod tokens;
pub(crate) mod unit;
pub(crate) mod value;

pub(crate) use net::is_loopback;
