//! Pictures and files of an answer, which become blobs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use greenroom_browser::call::ReplyFile;
use greenroom_store::{BlobId, Call, NewBlob, Store, StoreError};
use serde_json::{Value, json};

use crate::service::{Answer, BlobView, text_block};

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

/// What became of the binaries of an answer.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub(super) attachments: Vec<Attachment>,
    /// Names of those that could not be stored, each with the reason.
    pub(super) lost: Vec<(String, String)>,
}

impl Kept {
    /// A line for each file that is gone. A picture is still in its block.
    pub(super) fn notes(&self) -> impl Iterator<Item = Value> + '_ {
        let lines = self.lost.iter();
        lines.map(|(name, why)| text_block(format!("Note: {name} could not be stored: {why}")))
    }

    fn add(&mut self, stored: Attachment) {
        match self
            .attachments
            .iter_mut()
            .find(|known| known.id == stored.id)
        {
            // The same picture as a block and as a file: the file has the better name.
            Some(known) => known.name = stored.name,
            None => self.attachments.push(stored),
        }
    }
}

/// Stores every binary of an answer: pictures in its blocks, and files beside it.
pub(super) async fn store(
    store: &Store,
    call: &Call,
    answer: &Answer,
    files: Vec<ReplyFile>,
) -> Kept {
    let mut kept = Kept::default();
    for (index, block) in answer.content.iter().enumerate() {
        if let Some((mime, bytes)) = binary(block) {
            let name = format!("{}.{}", kind(block), extension(mime));
            put(store, call, &mut kept, (name, mime, &bytes), Some(index)).await;
        }
    }
    for file in files {
        let what = (file.name, file.mime_type, &*file.bytes);
        put(store, call, &mut kept, what, None).await;
    }
    kept
}

async fn put(
    store: &Store,
    call: &Call,
    kept: &mut Kept,
    (name, mime, bytes): (String, &str, &[u8]),
    block: Option<usize>,
) {
    // Each attempt may wait for a lock; one wait tells enough about all of them.
    if let Some((_, why)) = kept.lost.first() {
        let why = why.clone();
        kept.lost.push((name, why));
        return;
    }
    let new = NewBlob {
        principal: call.principal.clone(),
        mime: mime.to_owned(),
        named_by: Some(call.ref_id),
    };
    match store.put_blob(new, bytes).await {
        Ok(id) => kept.add(Attachment {
            id,
            name,
            mime_type: mime.to_owned(),
            size: bytes.len() as u64,
            block,
        }),
        Err(error) => {
            tracing::error!(%error, name, "a file of an answer was not stored");
            kept.lost.push((name, told(&error)));
        }
    }
}

/// What a caller may know of it: paths of this machine are for its log.
fn told(error: &StoreError) -> String {
    match error {
        StoreError::NotPersisted { .. } | StoreError::TooLarge { .. } => error.to_string(),
        _ => "the disk of the server refuses it; its log has the details".to_owned(),
    }
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
