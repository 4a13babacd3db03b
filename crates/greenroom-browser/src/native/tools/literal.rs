//! Objects as Playwright's code has them: the options of a call.

use serde_json::{Map, Value};

use super::code::quote;

/// An object over several lines, its members by name; nothing for one without members.
pub(crate) fn options(members: &Map<String, Value>) -> String {
    let members = written(members);
    match members.is_empty() {
        true => String::new(),
        false => format!("{{\n  {}\n}}", members.join(",\n  ")),
    }
}

/// An object on one line.
pub(crate) fn on_one_line(members: &Map<String, Value>) -> String {
    format!("{{ {} }}", written(members).join(", "))
}

fn written(members: &Map<String, Value>) -> Vec<String> {
    let mut names: Vec<&String> = members.keys().collect();
    names.sort();
    let member = |name: &String| format!("{}: {}", key(name), value(&members[name.as_str()]));
    names.into_iter().map(member).collect()
}

fn value(given: &Value) -> String {
    match given {
        Value::String(text) => quote(text),
        Value::Array(all) => {
            let all: Vec<_> = all.iter().map(value).collect();
            format!("[{}]", all.join(", "))
        }
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => options(members),
        plain => plain.to_string(),
    }
}

/// A name as it stands where that is code, else in quotes.
fn key(name: &str) -> String {
    let is_word = |each: char| each.is_ascii_alphanumeric() || matches!(each, '_' | '$');
    let is_plain = name.chars().all(is_word) && !name.starts_with(|each: char| each.is_numeric());
    match is_plain && !name.is_empty() {
        true => name.to_owned(),
        false => quote(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn members(value: Value) -> Map<String, Value> {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn members_stand_in_the_order_of_their_names() {
        let both = members(json!({"type": "png", "fullPage": true, "clip": null, "delay": 5}));
        assert_eq!(
            options(&both),
            "{\n  clip: null,\n  delay: 5,\n  fullPage: true,\n  type: 'png'\n}"
        );
        assert_eq!(
            on_one_line(&members(json!({"media": null, "colorScheme": "dark"}))),
            "{ colorScheme: 'dark', media: null }"
        );
        assert_eq!(options(&Map::new()), "");
    }

    #[test]
    fn what_is_inside_is_code_as_well() {
        let nested = members(json!({"data": {"text/plain": "it's"}, "files": ["a", "b"]}));
        assert_eq!(
            options(&nested),
            "{\n  data: {\n  'text/plain': 'it\\'s'\n},\n  files: ['a', 'b']\n}"
        );
    }
}
