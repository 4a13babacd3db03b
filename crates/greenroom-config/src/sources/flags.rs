//! The command line: a few flags of their own, and `--set` for everything.

use std::path::PathBuf;

use crate::error::Fault;
use crate::keys::Key;
use crate::names::{Name, Reading, read_name, read_path};
use crate::origin::Origin;
use crate::scope::Scope;
use crate::sources::{Collected, Entry, Inputs, Trust, base, variables};
use crate::values::parse::Base;
use crate::values::raw::Raw;

/// The flags that take part in the configuration, as text: they are checked
/// together with everything else.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--config PATH`.
    pub config: Option<PathBuf>,
    /// `--host HOST`.
    pub host: Option<String>,
    /// `--port PORT`.
    pub port: Option<String>,
    /// `--data-dir PATH`.
    pub data_dir: Option<String>,
    /// `--log-level LEVEL`.
    pub log_level: Option<String>,
    /// `--set KEY=VALUE`, each as it was written; of two that set the same,
    /// the later one wins.
    pub set: Vec<String>,
}

impl Flags {
    /// The flags with a name of their own.
    fn named(&self) -> [(&'static str, Key, Option<&String>); 4] {
        [
            ("--host", Key::ServerHost, self.host.as_ref()),
            ("--port", Key::ServerPort, self.port.as_ref()),
            ("--data-dir", Key::DataDir, self.data_dir.as_ref()),
            ("--log-level", Key::LogLevel, self.log_level.as_ref()),
        ]
    }
}

/// Adds the flags. Those with a name of their own come last and so win over
/// `--set`.
pub(crate) fn collect(inputs: &Inputs, collected: &mut Collected) {
    let base = base(&inputs.environment, &inputs.environment.directory);
    for text in &inputs.flags.set {
        add_set(text, &base, collected);
    }
    for (flag, key, value) in inputs.flags.named() {
        let Some(value) = value else { continue };
        let reading = Reading::Settled(Scope::Global, key);
        push(flag.to_owned(), reading, value, &base, collected);
    }
}

fn add_set(text: &str, base: &Base, collected: &mut Collected) {
    let Some((name, value)) = text.split_once('=') else {
        let origin = Origin::Flag {
            flag: "--set".to_owned(),
        };
        // Only what can be a name is repeated: the rest may be a secret.
        let is_name = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let name: String = text.chars().take_while(is_name).collect();
        return collected.problem(origin, Fault::NotAnAssignment { name });
    };
    let name = name.trim();
    let flag = format!("--set {name}");
    if read_name(name) != Name::Foreign {
        let origin = Origin::Flag { flag };
        return variables::add(name, value, origin, base, Trust::Chosen, collected);
    }
    match read_path(name) {
        Ok(reading) => push(flag, reading, value, base, collected),
        Err(misread) => collected.misread(Origin::Flag { flag }, misread),
    }
}

fn push(flag: String, reading: Reading, value: &str, base: &Base, collected: &mut Collected) {
    collected.entries.push(Entry {
        reading,
        old: None,
        raw: Raw::Plain(value.to_owned()),
        origin: Origin::Flag { flag },
        base: base.clone(),
        trust: Trust::Chosen,
    });
}
