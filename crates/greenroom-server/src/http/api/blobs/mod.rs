//! Binaries: screenshots, PDFs and downloads out, files for uploads in.
//!
//! A blob is named by what it contains, so its name is its ETag, and whoever has read it once
//! never needs it again. Its bytes come from web pages and its type from whoever brought it:
//! nothing here is ever served as a page of ours (`headers`).

mod download;
mod headers;
mod list;
mod range;
mod upload;

use axum::routing::{get, head, post};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::path::HttpMethod;
use utoipa::openapi::schema::{Object, ObjectBuilder};
use utoipa::openapi::{Content, ResponseBuilder, Type};

use super::Route;
use super::describe::Describe;
use super::response::{follow, header, json, schema_of};
use crate::service::BlobView;
pub(super) use list::Blobs;

pub(super) fn routes() -> [Route; 4] {
    let stored = json("It is stored.", schema_of::<Blob>())
        .header("Location", header("Where it is read."))
        .link("read", follow("readBlob", "id", "id"));
    let storing = Describe::new("putBlob", "blobs", "Store a binary")
        .explain("Storing the same bytes again gives the same blob.")
        .takes_bytes(
            "The bytes, with their own Content-Type or this one. Types that a web page may send \
             without asking (text/plain, forms) are refused.",
        )
        .response(201, stored)
        .refuses(&[429, 503]);
    let limit = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(1.0))
        .maximum(Some(1000.0));
    let listing = Describe::new("listBlobs", "blobs", "Your binaries, last named first")
        .query("limit", "How many at most; 100 when left out.", limit)
        .answers(200, "The newest.", schema_of::<Blobs>())
        .refuses(&[503]);
    [
        Route::new(HttpMethod::Post, "/blobs", post(upload::put), storing),
        Route::new(HttpMethod::Get, "/blobs", get(list::list), listing),
        Route::new(
            HttpMethod::Get,
            "/blobs/{id}",
            get(download::read),
            reading(),
        ),
        Route::new(
            HttpMethod::Head,
            "/blobs/{id}",
            head(download::read),
            describing("describeBlob", "What reading a binary would answer"),
        ),
    ]
}

/// What is the same whether the bytes are sent or not.
fn describing(operation: &str, summary: &str) -> Describe {
    Describe::new(operation, "blobs", summary)
        .path("id", "Its id.", id_schema())
        .header("If-None-Match", "ETags that need not be sent again.")
        .response(200, tagged("All of it.").content("*/*", Content::default()))
        .response(304, tagged("The one you have."))
        .refuses(&[404, 503])
}

fn reading() -> Describe {
    let part = tagged("The range.")
        .header("Content-Range", header("Which bytes of how many."))
        .content("*/*", Content::default());
    describing("readBlob", "Read a binary, or a part of it")
        .header(
            "Range",
            "One range of bytes, such as bytes=0-1023; several get the whole.",
        )
        .header("If-Range", "The range is meant only for this ETag.")
        .response(206, part)
        .refuses(&[416])
}

fn tagged(about: &str) -> ResponseBuilder {
    ResponseBuilder::new()
        .description(about)
        .header("ETag", header("Its id, quoted."))
        .header("Accept-Ranges", header("Always bytes."))
}

fn id_schema() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some("^sha256-[0-9a-f]{64}$"))
        .build()
}

/// A stored binary.
#[derive(Serialize, ToSchema)]
pub(super) struct Blob {
    /// `sha256-` and the digest of its bytes.
    #[schema(pattern = "^sha256-[0-9a-f]{64}$")]
    id: String,
    /// Its size in bytes.
    size: u64,
    /// Its media type, as whoever brought it said.
    mime_type: String,
    /// Its name as an MCP resource.
    uri: String,
    /// When it was last named.
    named_at: String,
}

impl From<BlobView> for Blob {
    fn from(view: BlobView) -> Self {
        Self {
            uri: view.uri(),
            id: view.id,
            size: view.size,
            mime_type: view.mime_type,
            named_at: view.named_at,
        }
    }
}
