//! Blobs by the terms of the facade.

use greenroom_store::{BlobId, BlobInfo, NewBlob, Store, StoreError};

use crate::identity::Principal;
use crate::record::{date, owner};
use crate::service::{BlobView, Incoming, Refusal, Refused};

pub(super) async fn list(
    store: &Store,
    principal: &Principal,
    limit: usize,
) -> Result<Vec<BlobView>, Refusal> {
    let found = store.blobs(owner(principal), limit).await;
    let found = found.map_err(|error| refusal(&error))?;
    Ok(found.into_iter().map(view).collect())
}

pub(super) async fn open(
    store: &Store,
    principal: &Principal,
    id: &str,
) -> Result<(BlobView, tokio::fs::File), Refusal> {
    let id: BlobId = id.parse().map_err(|error| refusal(&error))?;
    let opened = store.open_blob(owner(principal), id).await;
    let (info, file) = opened.map_err(|error| refusal(&error))?;
    Ok((view(info), file))
}

pub(super) async fn put(
    store: &Store,
    principal: &Principal,
    mime: String,
    bytes: Incoming,
) -> Result<BlobView, Refusal> {
    let new = NewBlob {
        principal: owner(principal),
        mime,
        named_by: None,
    };
    let id = store.put_blob(new, bytes).await;
    let id = id.map_err(|error| refusal(&error))?;
    let info = store.blob(owner(principal), id).await;
    info.map(view).map_err(|error| refusal(&error))
}

fn view(info: BlobInfo) -> BlobView {
    BlobView {
        id: info.id.to_string(),
        size: info.size,
        mime_type: info.mime,
        named_at: date(info.named_at),
    }
}

fn refusal(error: &StoreError) -> Refusal {
    let kind = match error {
        StoreError::NotFound { .. } => Refused::NotFound,
        StoreError::TooLarge { .. } => Refused::TooLarge,
        StoreError::NotPersisted { .. } => Refused::Unavailable,
        // Paths of this machine are for its log, not for whoever calls.
        other => {
            tracing::error!(error = %other, "a blob cannot be stored or read");
            let message = "the disk of the server refuses it; its log has the details";
            return Refusal::new(Refused::Unavailable, message);
        }
    };
    Refusal::new(kind, error.to_string())
}
