//! What an engine finds around it. Injected whole, so that tests bring their own.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::find::Places;
use crate::process::Supervisor;
use crate::sandbox::Sandbox;

/// The run in which engines are started, and the machine below it. Clones share the supervisor.
#[derive(Debug, Clone)]
pub struct Host {
    /// Starts and ends their processes.
    pub supervisor: Supervisor,
    /// The variables that children get.
    pub environment: Vec<(OsString, OsString)>,
    /// What there is to run.
    pub machine: Machine,
}

/// Where programs are looked for, and what they can do here.
#[derive(Debug, Clone)]
pub struct Machine {
    /// Where browsers and Node are looked for.
    pub places: Places,
    /// The program that runs: a checkout around it brings its own upstream.
    pub program: Option<PathBuf>,
    /// Where an upstream for a user without a checkout is installed.
    pub data_dir: PathBuf,
    /// Whether Chromium's sandbox can run.
    pub sandbox: Sandbox,
}
