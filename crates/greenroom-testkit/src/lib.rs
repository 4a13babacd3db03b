//! What Greenroom's tests are made with. Nothing here is part of the product.
//!
//! - [`upstream`]: a scriptable fake `@playwright/mcp`, as a real program.
//! - [`gate`]: a fake manager of pool instances whose every step waits for the test.
//! - [`invariants`]: the check after every test that nothing is left behind.
//! - [`Bystander`]: a process that must be left alone.
//! - [`fake_upstream`] and [`owner`]: where the programs of this kit are.

mod binaries;
mod bystander;
pub mod gate;
pub mod invariants;
pub mod site;
pub mod upstream;

pub use binaries::{fake_upstream, owner};
pub use bystander::Bystander;
