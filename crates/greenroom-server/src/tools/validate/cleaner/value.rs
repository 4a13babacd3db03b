//! Values by kind, and the containers among them.

use serde_json::{Map, Value};

use super::super::super::refusal::Fault;
use super::super::super::row::{Kind, Param};
use super::super::{bounds, wording};
use super::Cleaner;

impl Cleaner {
    /// The value as the kind wants it, or a problem and whatever comes closest.
    pub(super) fn value(&mut self, kind: &Kind, given: Value, path: &str) -> Option<Value> {
        match kind {
            Kind::Text | Kind::AnyText | Kind::Url | Kind::SessionId => {
                self.text(kind, given, path).map(Value::String)
            }
            Kind::Choice(words) => self.choice(kind, words, given, path),
            Kind::Boolean => self.boolean(kind, given, path),
            Kind::Number { min } => self.number(kind, &given, *min, path),
            Kind::Whole { min } | Kind::Integer { min } => self.whole(kind, &given, *min, path),
            Kind::List(item) => self.list(kind, item, given, path),
            Kind::Record(fields) => self.fields(kind, fields, given, path),
            Kind::TextMap => self.text_map(kind, given, path),
            Kind::FreeObject => self.object(kind, given, path).map(Value::Object),
        }
    }

    /// An object, perhaps one that was serialised once too often.
    pub(super) fn object(
        &mut self,
        kind: &Kind,
        given: Value,
        path: &str,
    ) -> Option<Map<String, Value>> {
        match unwrapped(given) {
            Value::Object(fields) => Some(fields),
            other => self.wrong_type(kind, &other, path),
        }
    }

    fn fields(
        &mut self,
        kind: &Kind,
        fields: &'static [Param],
        given: Value,
        path: &str,
    ) -> Option<Value> {
        let given = self.object(kind, given, path)?;
        let fields: Vec<&Param> = fields.iter().collect();
        Some(self.record(&fields, given, path).into())
    }

    fn text_map(&mut self, kind: &Kind, given: Value, path: &str) -> Option<Value> {
        let entries = self.object(kind, given, path)?.into_iter();
        let clean = entries.filter_map(|(key, value)| {
            let place = wording::join(path, &key);
            let text = self.text(&Kind::AnyText, value, &place)?;
            Some((key, Value::String(text)))
        });
        Some(clean.collect::<Map<_, _>>().into())
    }

    /// A list; a single item stands for a list of one. An item that is wrong keeps its
    /// place as `null`, so that the places of the others are told right.
    fn list(&mut self, kind: &Kind, item: &Kind, given: Value, path: &str) -> Option<Value> {
        let items = match unwrapped(given) {
            Value::Array(items) => items,
            single if stands_for_a_list(item, &single) => vec![single],
            other => return self.wrong_type(kind, &other, path),
        };
        let numbered = items.into_iter().enumerate();
        let clean = numbered.map(|(index, value)| {
            let place = format!("{path}[{index}]");
            self.value(item, value, &place).unwrap_or_default()
        });
        Some(Value::Array(clean.collect()))
    }

    fn boolean(&mut self, kind: &Kind, given: Value, path: &str) -> Option<Value> {
        let word = given.as_str().map(|text| text.trim().to_ascii_lowercase());
        match word.as_deref() {
            Some("true") => Some(true.into()),
            Some("false") => Some(false.into()),
            _ if given.is_boolean() => Some(given),
            _ => self.wrong_type(kind, &given, path),
        }
    }

    pub(super) fn wrong_type<T>(&mut self, kind: &Kind, given: &Value, path: &str) -> Option<T> {
        let given = wording::given(given);
        let wanted = wording::wanted(kind);
        self.problems.add(path, Fault::WrongType { given, wanted });
        None
    }
}

fn stands_for_a_list(item: &Kind, single: &Value) -> bool {
    match item {
        Kind::Record(_) => single.is_object(),
        _ => single.is_string() || single.is_number(),
    }
}

/// The list or object inside a text, if the text is nothing but that. A text that only
/// looks like it, such as the selector `[data-id]`, stays a text.
fn unwrapped(given: Value) -> Value {
    let inner = given
        .as_str()
        .filter(|text| text.trim_start().starts_with(['[', '{']))
        .and_then(|text| serde_json::from_str::<Value>(text).ok())
        .filter(|inner| bounds::check(inner).is_ok());
    inner.unwrap_or(given)
}
