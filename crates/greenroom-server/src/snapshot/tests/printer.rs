//! Writes nodes in the dialect, by its rules for quoting.

/// An element as a test wants it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Element {
    pub(super) role: String,
    pub(super) name: Option<String>,
    pub(super) reference: Option<String>,
    pub(super) url: Option<String>,
    pub(super) text: Option<String>,
    pub(super) children: Vec<Element>,
}

/// The snapshot of some elements.
pub(super) fn print(elements: &[Element]) -> String {
    let mut out = String::new();
    for element in elements {
        write(&mut out, element, 0);
    }
    out
}

fn write(out: &mut String, element: &Element, depth: usize) {
    let indent = "  ".repeat(depth);
    let text = element.text.as_deref().map(value);
    if element.role == "text" {
        out.push_str(&format!("{indent}- text: {}\n", text.unwrap_or_default()));
        return;
    }
    let key = key(element);
    match (&element.url, text) {
        (None, Some(text)) => out.push_str(&format!("{indent}- {key}: {text}\n")),
        (None, None) if element.children.is_empty() => out.push_str(&format!("{indent}- {key}\n")),
        (url, text) => {
            out.push_str(&format!("{indent}- {key}:\n"));
            if let Some(url) = url {
                out.push_str(&format!("{indent}  - /url: {}\n", value(url)));
            }
            if let Some(text) = text {
                out.push_str(&format!("{indent}  - text: {text}\n"));
            }
        }
    }
    for child in &element.children {
        write(out, child, depth + 1);
    }
}

fn key(element: &Element) -> String {
    let mut key = element.role.clone();
    if let Some(name) = &element.name {
        key.push_str(&format!(" {}", serde_json::Value::from(name.as_str())));
    }
    if let Some(reference) = &element.reference {
        key.push_str(&format!(" [ref={reference}]"));
    }
    if needs_quotes(&key) {
        format!("'{}'", key.replace('\'', "''"))
    } else {
        key
    }
}

fn value(text: &str) -> String {
    if !needs_quotes(text) {
        return text.to_owned();
    }
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '\\' | '"' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => {
                quoted.push_str(&format!("\\x{:02x}", u32::from(character)));
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// What YAML would take for something other than these words.
fn needs_quotes(text: &str) -> bool {
    let mut pairs = text.chars().zip(text.chars().skip(1));
    text.is_empty()
        || text.trim() != text
        || text.contains(char::is_control)
        || text.contains(['{', '}', '`'])
        || text.starts_with([
            '-', '&', '*', ']', ',', '?', '!', '>', '|', '@', '"', '\'', '#', '%', '[',
        ])
        || text.ends_with(':')
        || pairs.any(|(one, next)| {
            (one == ':' && next.is_whitespace()) || (one.is_whitespace() && next == '#')
        })
        || text.parse::<f64>().is_ok()
}
