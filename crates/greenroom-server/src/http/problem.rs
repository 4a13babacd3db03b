//! Errors of our own routes, as RFC 9457 problem details.

use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::service::{Refusal, Refused};

/// The media type of a problem.
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// Soon: whoever was in the way may be done.
const BUSY_RETRY_SECONDS: u64 = 1;
/// Later: a browser has to start first.
const UNAVAILABLE_RETRY_SECONDS: u64 = 5;

/// A refusal with a status and a sentence that says what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    status: StatusCode,
    detail: String,
    ref_id: Option<String>,
}

/// A problem as it is written.
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct Written<'a> {
    /// Always `about:blank`: the status says what kind of problem it is.
    r#type: &'a str,
    /// The status in words.
    title: &'a str,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    /// What is wrong, and what to do next.
    detail: &'a str,
    /// The recorded response, where the call left one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ref_id: Option<&'a str>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self {
            status,
            detail: detail.into(),
            ref_id: None,
        }
    }

    /// A request that is wrong in itself.
    pub(crate) fn invalid(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// A no of the service.
    pub(crate) fn refused(kind: Refused, detail: impl Into<String>) -> Self {
        Self::new(status(kind), detail)
    }

    /// The same, with the response that was recorded all the same.
    pub(crate) fn with_ref_id(self, ref_id: Option<&str>) -> Self {
        let ref_id = ref_id.map(str::to_owned);
        Self { ref_id, ..self }
    }

    /// When it makes sense to ask again, where it does.
    fn retry_after(&self) -> Option<u64> {
        match self.status {
            StatusCode::TOO_MANY_REQUESTS => Some(BUSY_RETRY_SECONDS),
            StatusCode::SERVICE_UNAVAILABLE => Some(UNAVAILABLE_RETRY_SECONDS),
            _ => None,
        }
    }
}

/// The status of each kind of no. A call that ran and failed is not wrong in itself: where it
/// cannot be told in the answer, the server is what did not deliver.
fn status(kind: Refused) -> StatusCode {
    match kind {
        Refused::Invalid => StatusCode::BAD_REQUEST,
        Refused::NotFound => StatusCode::NOT_FOUND,
        Refused::Conflict => StatusCode::CONFLICT,
        Refused::Forbidden => StatusCode::FORBIDDEN,
        Refused::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Refused::Busy => StatusCode::TOO_MANY_REQUESTS,
        Refused::Unavailable | Refused::TimedOut | Refused::Failed => {
            StatusCode::SERVICE_UNAVAILABLE
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self::refused(refusal.kind, refusal.message)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let written = Written {
            r#type: "about:blank",
            title: self.status.canonical_reason().unwrap_or("Error"),
            status: self.status.as_u16(),
            detail: &self.detail,
            ref_id: self.ref_id.as_deref(),
        };
        let body = serde_json::to_string(&written).expect("BUG: texts and a number are JSON");
        let mut response = (self.status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
        if self.status == StatusCode::UNAUTHORIZED {
            let challenge = HeaderValue::from_static("Bearer realm=\"greenroom\"");
            headers.insert(WWW_AUTHENTICATE, challenge);
        }
        if let Some(seconds) = self.retry_after() {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
