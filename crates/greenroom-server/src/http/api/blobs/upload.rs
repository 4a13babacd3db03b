//! A blob on its way in, handed to the store piece by piece.
//!
//! How large it may be is the store's decision. How long it may take depends on its size, so only
//! a pause is bounded: a client that sends nothing for as long as a whole body may take elsewhere
//! is given up on. The store only sees a reader that failed; why it failed is kept beside it.

use std::io;
use std::sync::{Arc, OnceLock};

use axum::Json;
use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use futures::{Stream, StreamExt, stream};
use tokio_util::io::StreamReader;

use super::Blob;
use crate::http::api::Api;
use crate::http::body::{BodyLimits, broke_off, took_too_long};
use crate::http::problem::Problem;
use crate::identity::Principal;

/// Why a body ended before its end.
type Fault = Arc<OnceLock<Problem>>;

pub(super) async fn put(
    State(api): State<Api>,
    Extension(principal): Extension<Principal>,
    request: Request,
) -> Result<(StatusCode, [(HeaderName, String); 1], Json<Blob>), Problem> {
    let (parts, body) = request.into_parts();
    let mime_type = mime_type(&parts.headers);
    let fault = Fault::default();
    let reader = StreamReader::new(Box::pin(pieces(body, api.body, fault.clone())));
    let stored = api
        .service
        .put_blob(&principal, mime_type, Box::new(reader))
        .await;
    let blob = stored.map_err(|refusal| match fault.get() {
        Some(problem) => problem.clone(),
        None => refusal.into(),
    })?;
    let location = format!("/blobs/{}", blob.id);
    Ok((
        StatusCode::CREATED,
        [(LOCATION, location)],
        Json(blob.into()),
    ))
}

/// The type of a body; the guard let in none without.
fn mime_type(headers: &HeaderMap) -> &str {
    let given = headers.get(CONTENT_TYPE);
    given
        .and_then(|value| value.to_str().ok())
        .unwrap_or("application/octet-stream")
        .trim()
}

/// The pieces of a body until it ends, breaks off or stalls.
fn pieces(
    body: Body,
    limits: BodyLimits,
    fault: Fault,
) -> impl Stream<Item = io::Result<axum::body::Bytes>> + Send {
    stream::unfold(Some(body.into_data_stream()), move |body| {
        let fault = fault.clone();
        async move {
            let mut body = body?;
            let (kind, problem) = match tokio::time::timeout(limits.time, body.next()).await {
                Ok(None) => return None,
                Ok(Some(Ok(piece))) => return Some((Ok(piece), Some(body))),
                Ok(Some(Err(_))) => (io::ErrorKind::UnexpectedEof, broke_off()),
                Err(_) => (io::ErrorKind::TimedOut, took_too_long()),
            };
            // It is set once: nothing comes after a failure.
            let _ = fault.set(problem);
            Some((Err(kind.into()), None))
        }
    })
}
