//! What an upstream serves, held against the catalogue.
//!
//! The upstream does not treat changes of its schemas as breaking, so at every start its
//! `tools/list` is compared with our rows. Agents always see our rows; the report says
//! where a call that fits a row may now fail. A tool whose schema cannot be read is
//! dropped alone, the others go on working.

mod arguments;
mod finding;
mod shape;

use std::fmt;

use serde_json::Value;

pub use finding::Finding;
pub use shape::well_formed;

use super::catalog;
use super::row::{Handler, Tool};

/// The differences between an upstream and the catalogue.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drift {
    findings: Vec<Finding>,
}

/// Compares an upstream's `tools/list` with the browser tools of the catalogue.
#[must_use]
pub fn compare(upstream: &[Value]) -> Drift {
    let mut findings: Vec<Finding> = rows()
        .filter(|row| entry(upstream, row.name).is_none())
        .map(|row| Finding::MissingTool(row.name.to_owned()))
        .collect();
    for (index, entry) in upstream.iter().enumerate() {
        findings.extend(findings_of(index, entry));
    }
    Drift { findings }
}

fn findings_of(index: usize, entry: &Value) -> Vec<Finding> {
    let Some(name) = entry["name"].as_str().filter(|name| !name.is_empty()) else {
        return vec![Finding::NamelessTool(index)];
    };
    let schema = &entry["inputSchema"];
    if !well_formed(Some(schema)) {
        return vec![Finding::BadSchema(name.to_owned())];
    }
    match catalog::find(name) {
        Some(row) if row.handler == Handler::Browser => arguments::compare(row, schema),
        Some(_) => vec![Finding::ShadowedTool(name.to_owned())],
        None => vec![Finding::ExtraTool(name.to_owned())],
    }
}

fn rows() -> impl Iterator<Item = &'static Tool> {
    catalog::rows().filter(|row| row.handler == Handler::Browser)
}

fn entry<'a>(upstream: &'a [Value], name: &str) -> Option<&'a Value> {
    upstream.iter().find(|entry| entry["name"] == name)
}

impl Drift {
    /// Whether the upstream serves exactly what the catalogue says.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Everything that differs: missing tools first, then in the order of the upstream's list.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Whether calls that fit our rows may fail because of it.
    #[must_use]
    pub fn is_breaking(&self) -> bool {
        self.findings.iter().any(Finding::is_breaking)
    }

    /// The names of the tools beyond the catalogue, which pass through.
    pub fn extra(&self) -> impl Iterator<Item = &str> {
        self.findings.iter().filter_map(|finding| match finding {
            Finding::ExtraTool(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The names of the tools that this upstream cannot serve: missing, or with a schema
    /// that is none.
    pub fn dropped(&self) -> impl Iterator<Item = &str> {
        self.findings.iter().filter_map(|finding| match finding {
            Finding::MissingTool(name) | Finding::BadSchema(name) => Some(name.as_str()),
            _ => None,
        })
    }
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return write!(f, "the upstream serves what the catalogue says");
        }
        write!(
            f,
            "the upstream differs from the catalogue in {} places:",
            self.findings.len()
        )?;
        for finding in &self.findings {
            write!(f, "\n- {finding}")?;
        }
        if self.is_breaking() {
            write!(
                f,
                "\nInstall the pinned upstream, or expect calls of these tools to fail."
            )?;
        }
        Ok(())
    }
}
