//! Pictures and files of an answer, which become blobs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use greenroom_browser::call::ReplyFile;
use greenroom_store::{BlobId, NewBlob, Principal, RefId, Store};
use serde_json::{Value, json};

use crate::service::{Answer, BlobView};

/// A binary of an answer that is in the blob store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Attachment {
    pub(crate) id: BlobId,
    pub(crate) name: String,
    pub(crate) mime_type: String,
    pub(crate) size: u64,
    /// Which block of the answer holds the same bytes.
    pub(crate) block: Option<usize>,
}

impl Attachment {
    /// The block of content that stands for it.
    pub(crate) fn link(&self) -> Value {
        json!({
            "type": "resource_link",
            "uri": format!("{}{}", BlobView::SCHEME, self.id),
            "name": self.name,
            "mimeType": self.mime_type,
            "size": self.size,
        })
    }
}

/// Stores every binary of an answer. One that cannot be stored stays where it is; the store has
/// counted and logged it.
pub(super) async fn store(
    store: &Store,
    principal: &Principal,
    ref_id: RefId,
    answer: &Answer,
    files: Vec<ReplyFile>,
) -> Vec<Attachment> {
    let mut stored: Vec<Attachment> = Vec::new();
    let put = async |mime: &str, bytes: &[u8]| {
        let new = NewBlob {
            principal: principal.clone(),
            mime: mime.to_owned(),
            named_by: Some(ref_id),
        };
        store.put_blob(new, bytes).await.ok()
    };
    for (index, block) in answer.content.iter().enumerate() {
        let Some((mime, bytes)) = binary(block) else {
            continue;
        };
        if let Some(id) = put(mime, &bytes).await {
            stored.push(Attachment {
                id,
                name: format!("{}.{}", kind(block), extension(mime)),
                mime_type: mime.to_owned(),
                size: bytes.len() as u64,
                block: Some(index),
            });
        }
    }
    for file in files {
        let Some(id) = put(file.mime_type, &file.bytes).await else {
            continue;
        };
        match stored.iter_mut().find(|known| known.id == id) {
            // The same picture as a block and as a file: the file has the better name.
            Some(known) => known.name = file.name,
            None => stored.push(Attachment {
                id,
                name: file.name,
                mime_type: file.mime_type.to_owned(),
                size: file.bytes.len() as u64,
                block: None,
            }),
        }
    }
    stored
}

fn kind(block: &Value) -> &str {
    block["type"].as_str().unwrap_or("file")
}

/// The bytes of a picture or sound.
fn binary(block: &Value) -> Option<(&str, Vec<u8>)> {
    if !matches!(kind(block), "image" | "audio") {
        return None;
    }
    let bytes = STANDARD.decode(block["data"].as_str()?).ok()?;
    Some((block["mimeType"].as_str()?, bytes))
}

fn extension(mime: &str) -> &str {
    let kind = mime.rsplit('/').next().unwrap_or(mime);
    let plain = kind.split([';', '+']).next().unwrap_or(kind);
    if plain.is_empty() { "bin" } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pictures_and_sounds_with_sound_base64_are_binaries() {
        let png = json!({"type": "image", "mimeType": "image/png", "data": "aGk="});
        assert_eq!(binary(&png), Some(("image/png", b"hi".to_vec())));
        for other in [
            json!({"type": "text", "text": "aGk="}),
            json!({"type": "image", "mimeType": "image/png", "data": "%"}),
            json!({"type": "image", "data": "aGk="}),
        ] {
            assert_eq!(binary(&other), None, "{other}");
        }
    }

    #[test]
    fn a_picture_is_called_after_its_kind() {
        assert_eq!(extension("image/png"), "png");
        assert_eq!(extension("image/svg+xml"), "svg");
        assert_eq!(extension("audio/wav; codecs=1"), "wav");
    }
}
