//! Binaries as edges see them.

use tokio::io::AsyncRead;

/// What is known about a blob without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobView {
    /// `sha256-` and 64 hexadecimal digits.
    pub id: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its media type, as whoever brought it said.
    pub mime_type: String,
    /// When it was last named, as a date.
    pub named_at: String,
}

impl BlobView {
    /// Its name as an MCP resource.
    pub fn uri(&self) -> String {
        format!("{}{}", Self::SCHEME, self.id)
    }

    /// How the URIs of blobs begin.
    pub const SCHEME: &str = "blob://";
}

/// Bytes on their way in.
pub type Incoming = Box<dyn AsyncRead + Send + Unpin>;
