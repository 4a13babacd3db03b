//! The arguments of a call. They were checked against the catalogue already; what is missing or
//! wrong all the same is told to the caller.

use crate::call::Call;
use serde_json::{Map, Value};

use crate::native::page::ToolError;

/// The arguments of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arguments<'a>(&'a Call);

impl<'a> Arguments<'a> {
    pub(crate) fn of(call: &'a Call) -> Self {
        Self(call)
    }

    /// Any value but null.
    pub(crate) fn value(self, name: &str) -> Option<&'a Value> {
        self.0.arguments.get(name).filter(|value| !value.is_null())
    }

    /// Whether a value is there and is null, which takes something back.
    pub(crate) fn is_null(self, name: &str) -> bool {
        self.0.arguments.get(name).is_some_and(Value::is_null)
    }

    /// Those of these that are there, as they were given.
    pub(crate) fn given(self, names: &[&str]) -> Map<String, Value> {
        let given = |name: &&str| Some(((*name).to_owned(), self.value(name)?.clone()));
        names.iter().filter_map(given).collect()
    }

    /// A text; an empty one is as good as none.
    pub(crate) fn text(self, name: &str) -> Option<&'a str> {
        self.any_text(name).filter(|text| !text.is_empty())
    }

    /// A text, also an empty one.
    pub(crate) fn any_text(self, name: &str) -> Option<&'a str> {
        self.value(name).and_then(Value::as_str)
    }

    /// A text that must be there.
    pub(crate) fn required(self, name: &str) -> Result<&'a str, ToolError> {
        self.text(name).ok_or_else(|| self.missing(name, "a text"))
    }

    /// Texts; none if there is no list.
    pub(crate) fn texts(self, name: &str) -> Option<Vec<&'a str>> {
        let list = self.value(name)?.as_array()?;
        Some(list.iter().filter_map(Value::as_str).collect())
    }

    /// Whether something is wanted.
    pub(crate) fn flag(self, name: &str) -> bool {
        self.value(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// A number.
    pub(crate) fn number(self, name: &str) -> Option<f64> {
        self.value(name).and_then(Value::as_f64)
    }

    /// A number from 0 on, without a fraction.
    pub(crate) fn whole(self, name: &str) -> Option<usize> {
        let number = self.number(name)?;
        let fits = number >= 0.0 && number.fract() == 0.0 && number < 1e9;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked"
        )]
        fits.then_some(number as usize)
    }

    /// What to say when an argument is missing.
    pub(crate) fn missing(self, name: &str, kind: &str) -> ToolError {
        ToolError::Argument(format!(
            "Invalid arguments for tool \"{}\": \"{name}\" must be {kind}. Add it and call again.",
            self.0.tool
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn arguments_are_read_by_kind_and_null_is_none() {
        let call = Call::new("t")
            .with("a", "x")
            .with("empty", "")
            .with("none", Value::Null)
            .with("n", 3)
            .with("half", 1.5)
            .with("yes", true)
            .with("o", json!({}));
        let arguments = Arguments::of(&call);
        assert_eq!(arguments.text("a"), Some("x"));
        assert_eq!(
            (arguments.text("empty"), arguments.any_text("empty")),
            (None, Some(""))
        );
        assert!(arguments.value("none").is_none() && arguments.text("o").is_none());
        assert!(arguments.is_null("none") && !arguments.is_null("a") && !arguments.is_null("x"));
        let given = Value::Object(arguments.given(&["n", "none", "x"]));
        assert_eq!(given, json!({"n": 3}));
        assert_eq!(
            (arguments.whole("n"), arguments.whole("half")),
            (Some(3), None)
        );
        assert!(arguments.flag("yes") && !arguments.flag("a"));
        let missing = arguments.required("url").unwrap_err().to_string();
        assert!(missing.contains("\"url\" must be a text"), "{missing}");
    }
}
