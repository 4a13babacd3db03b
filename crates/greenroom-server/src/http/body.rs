//! Request bodies, read in full before anybody works on them.
//!
//! A body has a size and a time. Both are bounded here, so that a client that sends slowly or
//! without end costs one connection and nothing else. `/mcp` has its bodies read by the middleware,
//! our own routes by [`JsonBody`].

use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRef, FromRequest, Request, State};
use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;

use super::problem::Problem;

/// What a body may cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyLimits {
    pub(crate) bytes: usize,
    pub(crate) time: Duration,
}

/// The middleware that reads the body.
pub(crate) async fn read_body(
    State(limits): State<BodyLimits>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    match collect(&parts.headers, body, limits).await {
        Ok(bytes) => {
            let request = Request::from_parts(parts, Body::from(bytes));
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    }
}

/// A body that is JSON of the right form. No body at all is an empty object, so that a request
/// that has nothing to say may say nothing.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<S, T> FromRequest<S> for JsonBody<T>
where
    S: Send + Sync,
    T: DeserializeOwned,
    BodyLimits: FromRef<S>,
{
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let limits = BodyLimits::from_ref(state);
        let bytes = collect(&parts.headers, body, limits).await?;
        let text: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
        serde_json::from_slice(text).map(Self).map_err(|error| {
            let detail = format!("the body is not what GET /openapi.json says: {error}");
            Problem::invalid(detail)
        })
    }
}

async fn collect(headers: &HeaderMap, body: Body, limits: BodyLimits) -> Result<Bytes, Problem> {
    let announced = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok());
    if announced.is_some_and(|text| exceeds(text, limits.bytes)) {
        return Err(too_large(limits.bytes));
    }
    match tokio::time::timeout(limits.time, to_bytes(body, limits.bytes)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if is_length_limit(&error) => Err(too_large(limits.bytes)),
        Ok(Err(_)) => Err(broke_off()),
        Err(_) => Err(took_too_long()),
    }
}

/// A length that cannot be read is no length that we would accept.
fn exceeds(announced: &str, limit: usize) -> bool {
    announced
        .parse::<usize>()
        .map_or(true, |length| length > limit)
}

fn is_length_limit(error: &axum::Error) -> bool {
    let source = std::error::Error::source(error);
    source.is_some_and(|source| source.is::<http_body_util::LengthLimitError>())
}

fn too_large(limit: usize) -> Problem {
    let detail = format!("the body is larger than {limit} bytes: send less at once");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
}

/// The connection ended in the middle of the body, or the body is not framed as HTTP wants it.
pub(crate) fn broke_off() -> Problem {
    Problem::invalid("the body broke off: send it again")
}

/// The body did not come in time.
pub(crate) fn took_too_long() -> Problem {
    let detail = "the body took too long: send it again";
    Problem::new(StatusCode::REQUEST_TIMEOUT, detail)
}
