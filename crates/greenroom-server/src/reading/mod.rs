//! Reading recorded answers: `get_content` and `get_console_content`.
//!
//! A plain read moves the reader's cursor and gives what is new. Every other way of reading (a part,
//! a search, a query, a difference between two answers, the history of a session) leaves it alone.

mod console;
mod content;
mod error;
mod find;
mod history;
mod part;
mod query;

pub(crate) use console::get_console_content;
pub(crate) use content::get_content;

use greenroom_store::RefId;
use serde_json::{Map, Value};

use crate::dispatch::CallError;

/// The arguments of a reading tool, which the catalogue has checked.
struct Arguments<'a>(&'a Map<String, Value>);

impl Arguments<'_> {
    fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.0.get(name).and_then(Value::as_u64)
    }

    fn is_true(&self, name: &str) -> bool {
        self.0.get(name) == Some(&Value::Bool(true))
    }

    fn ref_id(&self, name: &str) -> Result<RefId, CallError> {
        let text = self.text(name).unwrap_or_default();
        text.parse().map_err(|_| error::unknown(text))
    }
}
