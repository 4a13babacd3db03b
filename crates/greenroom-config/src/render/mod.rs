//! What `greenroom config` prints: effective values, and the reference.

mod reference;
mod show;

pub use reference::reference;
