//! Tools that an upstream serves beyond the catalogue. They pass through: listed with
//! the upstream's own words and schema plus the addressing arguments, and called with
//! whatever the caller gives, because only the upstream knows what they take.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::catalog;
use super::drift::well_formed;
use super::row::Effect;
use super::schema;

/// The tools beyond the catalogue, by name.
#[derive(Debug, Clone, Default)]
pub struct ExtraTools(BTreeMap<String, Arc<ExtraTool>>);

/// One tool beyond the catalogue.
#[derive(Debug)]
pub struct ExtraTool {
    /// Its name.
    pub name: String,
    /// What a crash in mid-call leaves behind, as far as the upstream says.
    pub effect: Effect,
    entry: Map<String, Value>,
}

impl ExtraTools {
    /// What is extra in an upstream's `tools/list`. Entries without a name or with a
    /// schema that clients would choke on are left out.
    #[must_use]
    pub fn of_upstream(list: &[Value]) -> Self {
        let extras = list.iter().filter_map(ExtraTool::read);
        Self(
            extras
                .map(|tool| (tool.name.clone(), Arc::new(tool)))
                .collect(),
        )
    }

    /// The tool of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<ExtraTool>> {
        self.0.get(name)
    }

    /// All of them, ordered by name.
    pub fn iter(&self) -> impl Iterator<Item = &ExtraTool> {
        self.0.values().map(Arc::as_ref)
    }
}

impl ExtraTool {
    fn read(entry: &Value) -> Option<Self> {
        let name = entry.get("name")?.as_str()?;
        if catalog::find(name).is_some() || !well_formed(entry.get("inputSchema")) {
            return None;
        }
        let reads = entry["annotations"]["readOnlyHint"] == Value::Bool(true);
        Some(Self {
            name: name.to_owned(),
            effect: if reads { Effect::Reads } else { Effect::Acts },
            entry: addressed(entry.as_object()?.clone()),
        })
    }

    /// What `tools/list` says about it.
    #[must_use]
    pub fn entry(&self) -> &Map<String, Value> {
        &self.entry
    }
}

/// The entry with the addressing arguments among its properties.
fn addressed(mut entry: Map<String, Value>) -> Map<String, Value> {
    if let Some(Value::Object(input)) = entry.get_mut("inputSchema") {
        let properties = input
            .entry("properties")
            .or_insert_with(|| Map::new().into());
        if let Value::Object(properties) = properties {
            properties.extend(schema::address());
        }
    }
    entry
}
