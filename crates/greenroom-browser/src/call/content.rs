use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// One block of a reply's content.
///
/// `extra` holds every field that has no place of its own (`_meta`, `annotations`, fields of a
/// newer protocol), so that a block goes out with all that it came in with.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Text for the model.
    Text {
        /// The text.
        text: String,
        /// Fields beside it.
        extra: Map<String, Value>,
    },
    /// A picture.
    Image {
        /// Base64, as it came.
        data: String,
        /// Its media type.
        mime_type: String,
        /// Fields beside it.
        extra: Map<String, Value>,
    },
    /// A sound.
    Audio {
        /// Base64, as it came.
        data: String,
        /// Its media type.
        mime_type: String,
        /// Fields beside it.
        extra: Map<String, Value>,
    },
    /// A link to a resource: all fields but `type`.
    ResourceLink(Map<String, Value>),
    /// A resource with its contents: all fields but `type`.
    Resource(Map<String, Value>),
    /// A block of a kind that is not known here, whole.
    Other(Value),
}

impl Content {
    /// A plain block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text {
            text: text.into(),
            extra: Map::new(),
        }
    }

    /// The text of a block of text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text { text, .. } => Some(text),
            _ => None,
        }
    }
}

impl From<Value> for Content {
    /// Never fails: a block that lacks what its type promises stays as it is, in `Other`.
    fn from(value: Value) -> Self {
        let Value::Object(mut fields) = value else {
            return Self::Other(value);
        };
        match fields.get("type").and_then(Value::as_str) {
            Some("text") if has_text(&fields, &["text"]) => Self::Text {
                text: take_text(&mut fields, "text"),
                extra: without_type(fields),
            },
            Some("image") if has_text(&fields, &["data", "mimeType"]) => Self::Image {
                data: take_text(&mut fields, "data"),
                mime_type: take_text(&mut fields, "mimeType"),
                extra: without_type(fields),
            },
            Some("audio") if has_text(&fields, &["data", "mimeType"]) => Self::Audio {
                data: take_text(&mut fields, "data"),
                mime_type: take_text(&mut fields, "mimeType"),
                extra: without_type(fields),
            },
            Some("resource_link") => Self::ResourceLink(without_type(fields)),
            Some("resource") => Self::Resource(without_type(fields)),
            _ => Self::Other(Value::Object(fields)),
        }
    }
}

impl From<Content> for Value {
    fn from(content: Content) -> Self {
        let binary = |kind: &str, data: String, mime_type: String, extra| {
            let own = [("data", data.into()), ("mimeType", mime_type.into())];
            block(kind, own, extra)
        };
        match content {
            Content::Text { text, extra } => block("text", [("text", text.into())], extra),
            Content::Image {
                data,
                mime_type,
                extra,
            } => binary("image", data, mime_type, extra),
            Content::Audio {
                data,
                mime_type,
                extra,
            } => binary("audio", data, mime_type, extra),
            Content::ResourceLink(fields) => block("resource_link", [], fields),
            Content::Resource(fields) => block("resource", [], fields),
            Content::Other(value) => value,
        }
    }
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Value::from(self.clone()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::from)
    }
}

fn block<const N: usize>(kind: &str, own: [(&str, Value); N], extra: Map<String, Value>) -> Value {
    let mut fields = Map::new();
    fields.insert("type".to_owned(), kind.into());
    fields.extend(own.map(|(name, value)| (name.to_owned(), value)));
    fields.extend(extra);
    Value::Object(fields)
}

fn has_text(fields: &Map<String, Value>, names: &[&str]) -> bool {
    names
        .iter()
        .all(|name| fields.get(*name).is_some_and(Value::is_string))
}

/// Moves a text out, so that a picture of many megabytes is not copied.
fn take_text(fields: &mut Map<String, Value>, name: &str) -> String {
    match fields.shift_remove(name) {
        Some(Value::String(text)) => text,
        _ => String::new(),
    }
}

fn without_type(mut fields: Map<String, Value>) -> Map<String, Value> {
    fields.shift_remove("type");
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_kind_of_block_goes_out_with_all_that_it_came_in_with() {
        for block in [
            json!({"type": "text", "text": "a", "_meta": {"k": 1}, "annotations": {"audience": ["user"]}}),
            json!({"type": "image", "data": "AAAA", "mimeType": "image/png", "_meta": {"k": [1, 2]}}),
            json!({"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}),
            json!({"type": "resource_link", "uri": "blob://x", "name": "x", "size": 3}),
            json!({"type": "resource", "resource": {"uri": "a:b", "text": "t"}, "annotations": {}}),
            json!({"type": "hologram", "depth": 3}),
            json!({"type": "image", "data": 5}),
            json!({"type": "text"}),
            json!(["not", "an", "object"]),
            json!({"text": "without a type"}),
        ] {
            let content = Content::from(block.clone());
            assert_eq!(Value::from(content.clone()), block);
            let text = serde_json::to_string(&content).unwrap();
            assert_eq!(serde_json::from_str::<Content>(&text).unwrap(), content);
        }
    }

    #[test]
    fn known_kinds_are_recognised_and_incomplete_ones_are_left_alone() {
        let kind = |block| match Content::from(block) {
            Content::Text { .. } => "text",
            Content::Image { .. } => "image",
            Content::Audio { .. } => "audio",
            Content::ResourceLink(_) => "link",
            Content::Resource(_) => "resource",
            Content::Other(_) => "other",
        };
        assert_eq!(kind(json!({"type": "text", "text": ""})), "text");
        assert_eq!(
            kind(json!({"type": "image", "data": "", "mimeType": ""})),
            "image"
        );
        assert_eq!(
            kind(json!({"type": "audio", "data": "", "mimeType": ""})),
            "audio"
        );
        assert_eq!(kind(json!({"type": "resource_link"})), "link");
        assert_eq!(kind(json!({"type": "resource"})), "resource");
        assert_eq!(kind(json!({"type": "audio", "data": ""})), "other");
    }
}
