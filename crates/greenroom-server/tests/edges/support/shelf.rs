//! Blobs in a directory that is removed with the test.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use greenroom_server::service::{BlobView, Incoming, Refusal, Refused};
use sha2::{Digest, Sha256};
use tokio::io::AsyncReadExt;

/// The largest blob that is taken.
pub const LARGEST: u64 = 16 * 1024 * 1024;

/// A shelf, shared by its clones.
#[derive(Clone)]
pub struct Shelf {
    directory: Arc<tempfile::TempDir>,
    /// Whose, and what, the newest first.
    labels: Arc<Mutex<Vec<(String, BlobView)>>>,
}

impl Shelf {
    pub fn new() -> Self {
        Self {
            directory: Arc::new(tempfile::tempdir().unwrap()),
            labels: Arc::default(),
        }
    }

    fn path(&self, id: &str) -> PathBuf {
        self.directory.path().join(id)
    }

    /// Puts these bytes there and gives their id.
    pub fn add(&self, principal: &str, mime_type: &str, bytes: &[u8]) -> BlobView {
        let digest: [u8; 32] = Sha256::digest(bytes).into();
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let view = BlobView {
            id: format!("sha256-{hex}"),
            size: bytes.len() as u64,
            mime_type: mime_type.to_owned(),
            named_at: "2026-11-15T06:00:00Z".to_owned(),
        };
        std::fs::write(self.path(&view.id), bytes).unwrap();
        let mut labels = self.labels.lock().unwrap();
        labels.insert(0, (principal.to_owned(), view.clone()));
        view
    }

    pub fn list(&self, principal: &str, limit: usize) -> Vec<BlobView> {
        let labels = self.labels.lock().unwrap();
        let own = labels.iter().filter(|(owner, _)| owner == principal);
        own.map(|(_, view)| view.clone()).take(limit).collect()
    }

    pub fn open(&self, principal: &str, id: &str) -> Result<(BlobView, tokio::fs::File), Refusal> {
        let mut own = self.list(principal, usize::MAX).into_iter();
        let view = own.find(|view| view.id == id).ok_or_else(|| {
            Refusal::new(Refused::NotFound, "no such blob: GET /blobs lists yours")
        })?;
        let file = std::fs::File::open(self.path(id)).unwrap();
        Ok((view, tokio::fs::File::from_std(file)))
    }

    pub async fn put(
        &self,
        principal: &str,
        mime_type: &str,
        incoming: Incoming,
    ) -> Result<BlobView, Refusal> {
        let mut bytes = Vec::new();
        let reading = incoming.take(LARGEST + 1).read_to_end(&mut bytes).await;
        reading.map_err(|error| Refusal::new(Refused::Unavailable, error.to_string()))?;
        if bytes.len() as u64 > LARGEST {
            let message = "larger than a blob may be: send less";
            return Err(Refusal::new(Refused::TooLarge, message));
        }
        Ok(self.add(principal, mime_type, &bytes))
    }
}
