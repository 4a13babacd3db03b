//! Worlds: isolated places in shared browsers.
//!
//! # Theory of operation
//! A [`World`] is a browser context with a page in it: cookies, storage, caches, permissions and
//! downloads of its own, which end with it. Many of them live in one [`SharedBrowser`], because a
//! browser costs far more than a world. A [`Fleet`] owns the browsers of a pool: it places worlds,
//! starts another browser when all are full, keeps a few blank worlds ready, replaces a browser
//! that died and ends one that is no longer needed.
//!
//! # Targets
//! The browser attaches to every page by itself, also to popups, and says so on its own session.
//! One task per browser (`router`) hands each page to the world whose context it is in.
//!
//! # Between two holders
//! Nothing is cleaned up piece by piece, for one piece would be forgotten: the context is disposed
//! of and with it all that it held. A world whose disposal cannot be proved takes its browser with
//! it, as soon as that serves nobody else.

mod fleet;
mod place;
mod router;
mod seats;
mod settings;
mod shared;
mod tab;
mod tend;
mod world;

pub use fleet::{Fleet, FleetOptions};
pub use place::Place;
pub use router::TabEvent;
pub use settings::WorldSettings;
pub use shared::SharedBrowser;
pub use tab::Tab;
pub use world::World;
