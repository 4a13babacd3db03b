//! Where a call runs and how it answers.

use greenroom_config::ResponseMode;
use serde_json::{Map, Value};

/// The arguments that every browser tool takes, none of which an engine ever sees.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Address {
    /// The caller's world.
    pub session_id: Option<String>,
    /// The pool, by name.
    pub browser_pool: Option<String>,
    /// The instance, by id or alias.
    pub browser_instance: Option<String>,
    /// How much of the answer is said.
    pub response_mode: Option<ResponseMode>,
}

impl Address {
    /// Takes the addressing arguments out of clean arguments.
    pub(super) fn split_off(arguments: &mut Map<String, Value>) -> Self {
        let mut take = |name: &str| match arguments.shift_remove(name) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        Self {
            session_id: take("session_id"),
            browser_pool: take("browser_pool"),
            browser_instance: take("browser_instance"),
            response_mode: take("response_mode").as_deref().and_then(mode),
        }
    }

    /// The parts by the names of their arguments.
    pub(super) fn parts(&self) -> [(&'static str, Option<&str>); 4] {
        [
            ("session_id", self.session_id.as_deref()),
            ("browser_pool", self.browser_pool.as_deref()),
            ("browser_instance", self.browser_instance.as_deref()),
            (
                "response_mode",
                self.response_mode.map(ResponseMode::as_str),
            ),
        ]
    }
}

/// The mode of that name.
fn mode(word: &str) -> Option<ResponseMode> {
    use ResponseMode::{Auto, Inline, Ref};
    let mut modes = [Inline, Ref, Auto].into_iter();
    modes.find(|mode| mode.as_str() == word)
}
