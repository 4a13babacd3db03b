//! One pass over the arguments: finds what is wrong with them, repairs what is harmless.
//!
//! A cleaner always gives back something of the right outline, even after a problem, so
//! that the rest of the call can be looked at too. Nothing of it is used then.

mod number;
mod text;
mod value;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

pub use text::MAX_SESSION_ID;

use super::super::refusal::{Fault, Problems};
use super::super::row::{Kind, Need, Param};
use super::super::{schema, suggest};
use super::{bounds, wording};

/// The pass, and what it has found so far.
pub(super) struct Cleaner {
    pub(super) problems: Problems,
}

impl Cleaner {
    pub(super) fn new(problems: Problems) -> Self {
        Self { problems }
    }

    /// The arguments as an object of bearable size.
    pub(super) fn arguments(&mut self, given: Value) -> Option<Map<String, Value>> {
        if let Err(fault) = bounds::check(&given) {
            self.problems.add("", fault);
            return None;
        }
        match given {
            Value::Null => Some(Map::new()),
            other => self.object(&Kind::FreeObject, other, ""),
        }
    }

    /// An object that may hold these parameters and nothing else.
    pub(super) fn record(
        &mut self,
        params: &[&'static Param],
        mut given: Map<String, Value>,
        path: &str,
    ) -> Map<String, Value> {
        let hinted = self.unknown(params, &given, path);
        let mut clean = Map::new();
        for param in params {
            let value = given
                .shift_remove(param.name)
                .filter(|value| !is_left_out(param, value));
            let place = wording::join(path, param.name);
            let value = match value {
                Some(value) => self.given(param, value, &place),
                None if hinted.contains(param.name) => None,
                None => self.absent(param, &place),
            };
            clean.extend(value.map(|value| (param.name.to_owned(), value)));
        }
        clean
    }

    fn given(&mut self, param: &Param, value: Value, path: &str) -> Option<Value> {
        // Clients that take the schema literally can only say null as a text.
        if param.nullable && (value.is_null() || value == "null") {
            return Some(Value::Null);
        }
        self.value(&param.kind, value, path)
    }

    fn absent(&mut self, param: &Param, path: &str) -> Option<Value> {
        match param.need {
            Need::Optional => None,
            Need::Default(literal) => Some(schema::literal_value(literal)),
            Need::Required => {
                let wanted = wording::wanted_param(param);
                self.problems.add(path, Fault::Missing { wanted });
                None
            }
        }
    }

    /// Reports what does not belong here. Gives back the parameters that were meant, whose
    /// absence is then no second problem.
    fn unknown(
        &mut self,
        params: &[&'static Param],
        given: &Map<String, Value>,
        path: &str,
    ) -> BTreeSet<&'static str> {
        let mut hinted = BTreeSet::new();
        let strangers = given
            .keys()
            .filter(|key| params.iter().all(|param| param.name != *key));
        for key in strangers {
            let open = || {
                let open = params
                    .iter()
                    .filter(|param| !given.contains_key(param.name));
                open.map(|param| param.name)
            };
            let fault = if self.problems.is_full() {
                Fault::Unknown(Vec::new())
            } else if let Some(name) = suggest::renamed(key, open()) {
                hinted.insert(name);
                Fault::Renamed(name)
            } else if let Some(name) = suggest::nearest(key, open()) {
                hinted.insert(name);
                Fault::Misspelt(name)
            } else {
                Fault::Unknown(params.iter().map(|param| param.name).collect())
            };
            self.problems.add(wording::join(path, key), fault);
        }
        hinted
    }
}

/// Whether a value is only a roundabout way of leaving the parameter out.
fn is_left_out(param: &Param, value: &Value) -> bool {
    let blank_means_nothing = matches!(param.kind, Kind::Text | Kind::Url | Kind::Choice(_));
    (value.is_null() && !param.nullable)
        || (*value == json!("") && blank_means_nothing && !param.is_required())
}
