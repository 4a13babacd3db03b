//! Request bodies, read in full before anybody works on them.
//!
//! A body has a size and a time. Both are bounded here, so that a client that sends slowly or
//! without end costs one connection and nothing else.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_LENGTH;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

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
    let announced = parts
        .headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok());
    if announced.is_some_and(|text| exceeds(text, limits.bytes)) {
        return too_large(limits.bytes).into_response();
    }
    match collect(body, limits).await {
        Ok(body) => next.run(Request::from_parts(parts, body)).await,
        Err(problem) => problem.into_response(),
    }
}

/// A length that cannot be read is no length that we would accept.
fn exceeds(announced: &str, limit: usize) -> bool {
    announced
        .parse::<usize>()
        .map_or(true, |length| length > limit)
}

async fn collect(body: Body, limits: BodyLimits) -> Result<Body, Problem> {
    match tokio::time::timeout(limits.time, to_bytes(body, limits.bytes)).await {
        Ok(Ok(bytes)) => Ok(Body::from(bytes)),
        Ok(Err(error)) if is_length_limit(&error) => Err(too_large(limits.bytes)),
        Ok(Err(_)) => Err(Problem::new(
            StatusCode::BAD_REQUEST,
            "the body broke off: send it again",
        )),
        Err(_) => Err(Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            "the body took too long: send it again",
        )),
    }
}

fn is_length_limit(error: &axum::Error) -> bool {
    let source = std::error::Error::source(error);
    source.is_some_and(|source| source.is::<http_body_util::LengthLimitError>())
}

fn too_large(limit: usize) -> Problem {
    let detail = format!("the body is larger than {limit} bytes: send less at once");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
}
