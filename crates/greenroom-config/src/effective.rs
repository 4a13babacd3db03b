//! The value that holds somewhere, together with why.

use crate::keys::Key;
use crate::names;
use crate::origin::Origin;
use crate::scope::{Level, Scope};
use crate::values::render;
use crate::values::value::{FromValue, Value};

/// A value that holds somewhere.
#[derive(Debug, Clone)]
pub(crate) struct Effective {
    pub(crate) key: Key,
    /// The value; none when nothing is set or what is set cannot be read.
    pub(crate) value: Option<Value>,
    pub(crate) origin: Origin,
    /// The level that set it; none for defaults.
    pub(crate) level: Option<Level>,
}

impl Effective {
    /// The value as a type, if there is one.
    pub(crate) fn get<T: FromValue>(&self) -> Option<T> {
        self.value.as_ref().and_then(T::from_value)
    }

    /// Whether a person set it.
    pub(crate) fn is_set(&self) -> bool {
        self.origin.is_set()
    }

    /// The value as `config show` writes it.
    pub(crate) fn shown(&self) -> Option<String> {
        let kind = self.key.row().kind;
        self.value.as_ref().map(|value| render::text(value, kind))
    }

    /// `KEY=value (origin)`, for messages about two settings.
    pub(crate) fn told(&self) -> String {
        let value = self.shown().unwrap_or_else(|| "none".to_owned());
        format!("{}={value} ({})", self.key, self.origin)
    }

    /// What to write to set this key for `scope`, in the words of the source
    /// that `like` came from.
    pub(crate) fn remedy(&self, scope: &Scope, like: &Origin) -> String {
        names::remedy(scope, self.key, like)
    }
}
