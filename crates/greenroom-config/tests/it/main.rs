//! Tests of the whole crate through its public face, one file per property.
#![allow(clippy::unwrap_used, missing_docs)]

mod aliases;
mod built_in_pool;
mod contradictions;
mod documents;
mod environment_equals_toml;
mod examples;
mod mistakes;
mod names;
mod no_cascades;
mod notices;
mod precedence;
mod secrets;
mod show;
mod startup_errors;
mod support;
mod toml_files;
mod trust;
mod values;
