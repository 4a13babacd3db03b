//! Binaries as MCP resources: listed, read, and read in ranges.
//!
//! Whatever is read becomes one message, base64 in JSON, in memory on both sides; so there is a
//! largest piece, and whoever wants more reads on from where it ends (`asked`), or takes the HTTP
//! route.

mod asked;

use std::io::SeekFrom;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rmcp::ErrorData;
use rmcp::model::{
    ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate,
};
use serde_json::json;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};

use self::asked::Asked;
use crate::identity::Principal;
use crate::service::{BlobView, Refusal, Refused, Service};

/// How many are listed: what an agent may still mean when it asks for a file of its own.
const LISTED: usize = 100;

/// The newest blobs of a principal.
pub(crate) async fn list(
    service: &Service,
    principal: &Principal,
) -> Result<ListResourcesResult, ErrorData> {
    let blobs = service.blobs(principal, LISTED).await;
    let blobs = blobs.map_err(|refusal| refused(&refusal, BlobView::SCHEME))?;
    let resources = blobs.iter().map(resource).collect();
    Ok(ListResourcesResult::with_all_items(resources))
}

fn resource(blob: &BlobView) -> Resource {
    Resource::new(blob.uri(), blob.id.clone())
        .with_title(format!("{}, {} bytes", blob.mime_type, blob.size))
        .with_description(format!("Last named at {}.", blob.named_at))
        .with_mime_type(blob.mime_type.clone())
        .with_size(blob.size)
}

/// How the URIs of blobs are made.
pub(crate) fn templates() -> ListResourceTemplatesResult {
    let scheme = BlobView::SCHEME;
    let whole = ResourceTemplate::new(format!("{scheme}{{id}}"), "blob")
        .with_title("A screenshot, PDF or download")
        .with_description("All of it, up to 8 MiB. Ids are in answers and in resources/list.");
    let part = ResourceTemplate::new(format!("{scheme}{{id}}{{?offset,length}}"), "blob_range")
        .with_title("A part of one")
        .with_description("length bytes from offset on, up to 8 MiB at once.");
    ListResourceTemplatesResult::with_all_items(vec![whole, part])
}

/// What a URI names.
pub(crate) async fn read(
    service: &Service,
    principal: &Principal,
    uri: &str,
) -> Result<ReadResourceResult, ErrorData> {
    let asked = Asked::parse(uri)?;
    let opened = service.open_blob(principal, asked.id).await;
    let (blob, file) = opened.map_err(|refusal| refused(&refusal, uri))?;
    let (offset, length) = asked.extent(&blob)?;
    let bytes = piece(file, offset, length).await.map_err(|error| {
        tracing::error!(%error, blob = blob.id, "a blob cannot be read");
        ErrorData::internal_error("the blob cannot be read: try again later", None)
    })?;
    let contents = contents(&blob, bytes, uri);
    Ok(ReadResourceResult::new(vec![contents]))
}

async fn piece(mut file: File, offset: u64, length: u64) -> std::io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(offset)).await?;
    let length = usize::try_from(length).expect("BUG: no piece is larger than memory");
    let mut bytes = vec![0; length];
    file.read_exact(&mut bytes).await?;
    Ok(bytes)
}

/// Text as text, because models can read that; everything else as base64. A range may begin or
/// end within a letter: it is then no text.
fn contents(blob: &BlobView, bytes: Vec<u8>, uri: &str) -> ResourceContents {
    let kind = blob.mime_type.get(..5).unwrap_or_default();
    let bytes = if kind.eq_ignore_ascii_case("text/") {
        match String::from_utf8(bytes) {
            Ok(text) => {
                let contents = ResourceContents::text(text, uri);
                return contents.with_mime_type(blob.mime_type.clone());
            }
            Err(error) => error.into_bytes(),
        }
    } else {
        bytes
    };
    let contents = ResourceContents::blob(BASE64_STANDARD.encode(bytes), uri);
    contents.with_mime_type(blob.mime_type.clone())
}

/// The service's no in the protocol's codes.
fn refused(refusal: &Refusal, uri: &str) -> ErrorData {
    let message = refusal.message.clone();
    match refusal.kind {
        Refused::NotFound => not_found(uri, message),
        Refused::Unavailable | Refused::TimedOut | Refused::Failed | Refused::Busy => {
            ErrorData::internal_error(message, None)
        }
        Refused::Invalid | Refused::Conflict | Refused::Forbidden | Refused::TooLarge => {
            ErrorData::invalid_params(message, None)
        }
    }
}

/// rmcp gives this the code of the era that it is sent to.
fn not_found(uri: &str, message: impl Into<String>) -> ErrorData {
    ErrorData::resource_not_found(message.into(), Some(json!({"uri": uri})))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob(mime_type: &str) -> BlobView {
        BlobView {
            id: "sha256-0".to_owned(),
            size: 2,
            mime_type: mime_type.to_owned(),
            named_at: String::new(),
        }
    }

    #[test]
    fn only_whole_letters_of_a_text_are_text() {
        let of = |mime_type, bytes: &[u8]| {
            let contents = contents(&blob(mime_type), bytes.to_vec(), "blob://x");
            serde_json::to_value(contents).unwrap()
        };
        assert_eq!(of("text/csv", "ä".as_bytes())["text"], "ä");
        assert_eq!(of("text/csv", &"ä".as_bytes()[..1])["blob"], "ww==");
        assert_eq!(of("image/png", b"hi")["blob"], "aGk=");
        assert_eq!(of("image/png", b"hi")["mimeType"], "image/png");
    }
}
