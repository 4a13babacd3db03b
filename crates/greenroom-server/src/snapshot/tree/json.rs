//! The tree form: what queries see.

use serde_json::{Map, Value};

use super::node::{Node, State};
use super::texts::own_texts;
use super::{GENERIC, TEXT, Tree};

/// How deep the tree form nests. Common readers of JSON stop at 128 levels, and a node takes two:
/// itself and the list of its children. What stands deeper is lifted to this depth, in order.
const MAX_DEPTH: usize = 60;

/// The tree form of a page.
///
/// ```json
/// {
///   "role": "page",
///   "children": [
///     {"role": "main", "ref": "e2", "children": [
///       {"role": "heading", "name": "Sign in", "ref": "e3", "level": 1},
///       {"role": "link", "name": "Help", "ref": "e4", "cursor": "pointer", "url": "/help"},
///       {"role": "textbox", "name": "E-mail", "ref": "e5", "placeholder": "you@example.com"},
///       {"role": "text", "text": "or"}
///     ]}
///   ],
///   "nodes": [
///     {"role": "main", "ref": "e2", "text": "or", "depth": 0},
///     {"role": "heading", "name": "Sign in", "ref": "e3", "level": 1, "depth": 1},
///     {"role": "link", "name": "Help", "ref": "e4", "cursor": "pointer", "url": "/help", "depth": 1},
///     {"role": "textbox", "name": "E-mail", "ref": "e5", "placeholder": "you@example.com", "depth": 1}
///   ]
/// }
/// ```
///
/// A node has `role`; `name`, `ref`, `text` (all its text, if it contains nothing else), `url` of
/// a link and `placeholder` of a field where the page has them; its states `checked`, `disabled`,
/// `expanded`, `active`, `invalid`, `pressed`, `selected` as `true` or as a word (`"mixed"`),
/// `level` as a number, `cursor` as `"pointer"`; and `children`. What does not hold is absent,
/// which a query sees as `null`.
///
/// JMESPath cannot search at any depth, so `nodes` lists the same nodes flat, in document order,
/// with `depth` in place of `children`. Pieces of text are not listed: they are the `text` of the
/// node that they stand in. Nor are generic nodes that have neither name nor text nor a pointer
/// cursor. Text stands in single quotes: in double quotes it would be the name of a field, and
/// `role=="button"` holds for nothing.
///
/// ```text
/// nodes[?role=='button'].{name: name, ref: ref}
/// nodes[?role=='link' && contains(url || '', '/docs/')].url
/// nodes[?role=='heading' && level<=`2`].name
/// nodes[?role=='textbox' && !text].ref
/// length(nodes[?role=='row'])
/// ```
pub fn to_json(tree: &Tree<'_>) -> Value {
    let mut page = Map::new();
    page.insert("role".to_owned(), "page".into());
    page.insert("children".to_owned(), nested(tree));
    page.insert("nodes".to_owned(), flat(tree));
    Value::Object(page)
}

fn flat(tree: &Tree<'_>) -> Value {
    let mut listed = Vec::new();
    for (node, text) in tree.nodes().iter().zip(own_texts(tree)) {
        if !is_listed(node, text.is_some()) {
            continue;
        }
        let mut object = object(node, text.as_deref());
        object.insert("depth".to_owned(), node.depth.into());
        listed.push(Value::Object(object));
    }
    Value::Array(listed)
}

/// A page is mostly generic boxes. Those that say nothing would bury the rest, but a page also
/// builds what can be clicked from them.
fn is_listed(node: &Node<'_>, has_text: bool) -> bool {
    match node.role() {
        TEXT => false,
        GENERIC => has_text || node.name.is_some() || node.state("cursor").is_some(),
        _ => true,
    }
}

/// A node that waits for its children.
struct Open {
    depth: usize,
    object: Map<String, Value>,
    children: Vec<Value>,
}

impl Open {
    fn close(mut self) -> Value {
        if !self.children.is_empty() {
            self.object
                .insert("children".to_owned(), Value::Array(self.children));
        }
        Value::Object(self.object)
    }
}

fn nested(tree: &Tree<'_>) -> Value {
    let mut top = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    for node in tree.nodes() {
        let depth = node.depth.min(MAX_DEPTH - 1);
        close_down_to(depth, &mut open, &mut top);
        open.push(Open {
            depth,
            object: object(node, node.text.as_deref()),
            children: Vec::new(),
        });
    }
    close_down_to(0, &mut open, &mut top);
    Value::Array(top)
}

fn close_down_to(depth: usize, open: &mut Vec<Open>, top: &mut Vec<Value>) {
    while let Some(last) = open.pop_if(|last| last.depth >= depth) {
        let closed = last.close();
        match open.last_mut() {
            Some(parent) => parent.children.push(closed),
            None => top.push(closed),
        }
    }
}

fn object(node: &Node<'_>, text: Option<&str>) -> Map<String, Value> {
    let mut object = Map::new();
    let mut put = |key: &str, value: Option<&str>| {
        if let Some(value) = value {
            object.insert(key.to_owned(), value.into());
        }
    };
    put("role", Some(node.role()));
    put("name", node.name.as_deref());
    put("ref", node.reference.as_deref());
    put("text", text);
    put("url", node.url.as_deref());
    put("placeholder", node.placeholder.as_deref());
    for (key, state) in &node.states {
        object.insert(key.clone().into_owned(), state_value(state));
    }
    object
}

fn state_value(state: &State<'_>) -> Value {
    match state {
        State::On => true.into(),
        State::Number(number) => (*number).into(),
        State::Word(word) => word.as_ref().into(),
    }
}
