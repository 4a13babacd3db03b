//! Greenroom's configuration: read, merged with origins, resolved, checked.
//!
//! ```text
//! sources/  file, .env, environment, flags   each yields entries: a name, a raw value, an origin
//!    |
//! settle    which scope and key is meant; may this level and this source set it; what is the value
//!    |
//! merge     one value per scope and key; inheritance; the origin of each effective value
//!    |
//! checks/   pools are whole, relations hold
//!    |
//! settings/ plain, immutable structs
//! ```
//!
//! Every step goes on after a problem and adds to the same list, so that
//! [`load`] reports everything at once. A step that depends on what is
//! already reported keeps silent about it.
//!
//! Everything is driven by one table of [keys]: their names, levels, kinds,
//! defaults and meanings. The environment is a value ([`Environment`]), not
//! something that is looked up: this crate is the only one that names
//! variables, and one function of it reads those of the process.
//!
//! [keys]: table

mod checks;
mod defaults;
mod effective;
mod error;
mod keys;
mod merge;
mod names;
mod notice;
mod origin;
mod problem;
mod render;
mod scope;
mod settings;
mod settle;
mod sources;
mod values;

pub use error::Fault;
pub use keys::{Effect, Fallback, Key, Levels, Row, table};
pub use notice::Notice;
pub use origin::Origin;
pub use problem::{Problem, Problems};
pub use render::reference;
pub use scope::{InstanceId, Level, PoolName, Scope};
pub use settings::{Explanation, InstanceSettings, PoolSettings, ServerSettings, Settings};
pub use sources::{Environment, Flags, Inputs};
pub use values::choices::{
    Browser, Durability, Engine, EngineChoice, LogLevel, Process, ProcessChoice, ResponseMode,
    Sticky, Tools,
};
pub use values::kind::Kind;
pub use values::secret::{MaskedUrl, Secret};
pub use values::unit::Unit;
pub use values::value::{AuthToken, Viewport, Warmup};

/// A commented configuration file that shows every key.
pub const EXAMPLE: &str = include_str!("../../../examples/greenroom.toml");

/// Reads the configuration from all its sources.
///
/// # Errors
/// Every problem of every source, and of the settings as a whole.
pub fn load(inputs: &Inputs) -> Result<Settings, Problems> {
    let collected = sources::collect(inputs);
    let incomplete = collected.incomplete;
    let mut merged = merge::Merged::new(inputs.environment.data_home());
    let mut problems = settle::settle(collected, &mut merged);
    // What a file would have said is not known when it could not be read, so
    // nothing may be called missing or contradictory then.
    if !incomplete {
        problems.extend(checks::check(&mut merged));
    }
    if !problems.is_empty() {
        return Err(Problems::new(problems));
    }
    merged.note_keys_without_effect();
    Ok(settings::build(merged))
}
