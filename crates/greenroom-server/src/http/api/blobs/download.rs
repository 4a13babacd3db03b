//! A blob on its way out, in pieces, so that its size costs no memory.

use std::io::SeekFrom;

use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_RANGE, IF_NONE_MATCH, IF_RANGE, RANGE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_util::io::ReaderStream;

use super::headers;
use super::range::{Wanted, wanted};
use crate::http::api::name::Name;
use crate::http::problem::Problem;
use crate::identity::Principal;
use crate::service::{BlobView, Refused, Service};

/// How much of a blob is in memory at a time.
const PIECE: usize = 64 * 1024;

pub(super) async fn read(
    State(service): State<Service>,
    Extension(principal): Extension<Principal>,
    Name(id): Name,
    method: Method,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let (blob, file) = service.open_blob(&principal, &id).await?;
    if is_known(&request, &headers::tag(&blob)) {
        return Ok((StatusCode::NOT_MODIFIED, headers::common(&blob)).into_response());
    }
    // A range means something only to GET.
    let asked = range(&request, &headers::tag(&blob)).filter(|_| method == Method::GET);
    match wanted(asked, blob.size) {
        Wanted::Whole => send(StatusCode::OK, &blob, file, 0, blob.size).await,
        Wanted::Part { first, last } => {
            let length = last - first + 1;
            let mut part = send(StatusCode::PARTIAL_CONTENT, &blob, file, first, length).await?;
            let which = format!("bytes {first}-{last}/{}", blob.size);
            part.headers_mut().extend(header(CONTENT_RANGE, &which));
            Ok(part)
        }
        Wanted::Nothing => Ok(outside(&blob)),
    }
}

async fn send(
    status: StatusCode,
    blob: &BlobView,
    mut file: File,
    first: u64,
    length: u64,
) -> Result<Response, Problem> {
    if first > 0 {
        let moved = file.seek(SeekFrom::Start(first)).await;
        moved.map_err(|error| {
            tracing::error!(%error, blob = blob.id, "a blob cannot be read");
            Problem::refused(
                Refused::Unavailable,
                "the blob cannot be read: try again later",
            )
        })?;
    }
    let pieces = ReaderStream::with_capacity(file.take(length), PIECE);
    let mut response = (status, headers::about(blob), Body::from_stream(pieces)).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    Ok(response)
}

fn outside(blob: &BlobView) -> Response {
    let size = blob.size;
    let detail = format!("the blob has {size} bytes: ask for a range that begins before its end");
    let mut response = Problem::new(StatusCode::RANGE_NOT_SATISFIABLE, detail).into_response();
    let headers = response.headers_mut();
    headers.extend(headers::common(blob));
    headers.extend(header(CONTENT_RANGE, &format!("bytes */{size}")));
    response
}

/// Whether the client says that it has this already. What has this tag can have no other bytes, so
/// a weak tag is as good as a strong one.
fn is_known(request: &HeaderMap, tag: &str) -> bool {
    let values = request.get_all(IF_NONE_MATCH).iter();
    let mut tags = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim);
    tags.any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}

/// The range that is asked for, unless it is meant for another blob.
fn range<'a>(request: &'a HeaderMap, tag: &str) -> Option<&'a str> {
    let meant = request.get(IF_RANGE).is_none_or(|only| only == tag);
    let range = request.get(RANGE).filter(|_| meant)?;
    range.to_str().ok()
}

fn header(name: HeaderName, value: &str) -> Option<(HeaderName, HeaderValue)> {
    let value = HeaderValue::from_str(value).ok()?;
    Some((name, value))
}
