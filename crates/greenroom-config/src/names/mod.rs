//! Names of variables. No other module, and no other crate, spells one out.

mod old;
mod spelling;
mod split;
mod variable;

pub(crate) use old::{OLD_NAMES, OldName};
pub(crate) use spelling::{remedy, variable};
pub(crate) use split::{Reading, decide};
pub(crate) use variable::{Misread, Name, read_name, read_path};

/// The prefix of every variable. One underscore follows for the server as a
/// whole (`PW_MCP_PROXY_HEADLESS`), two for a pool or an instance.
pub(crate) const PREFIX: &str = "PW_MCP_PROXY_";

/// The variables that say where a user's directories are.
pub(crate) const HOME: &str = "HOME";
pub(crate) const XDG_CONFIG_HOME: &str = "XDG_CONFIG_HOME";
pub(crate) const XDG_DATA_HOME: &str = "XDG_DATA_HOME";
