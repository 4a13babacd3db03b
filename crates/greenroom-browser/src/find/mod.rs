//! Finds what an engine runs: a browser, Node, the pinned upstream.
//!
//! Nothing here starts a browser. A search looks in a fixed order that a person can predict, and a
//! search without a hit says where it looked, because "not found" alone helps nobody.

mod browser;
mod places;
mod upstream;
mod version;

pub use browser::{BrowserKind, FoundBrowser, NotFound, find_browser};
pub use places::Places;
pub use upstream::{PINNED_UPSTREAM, Upstream, find_node, find_upstream};
pub use version::{VersionError, program_version};
