//! Content types, and which of them a page of another origin cannot send unasked.
//!
//! A browser lets any page post to any server, without asking that server first, as long as the
//! content type is one that an HTML form could have sent, or none. For every other type it asks
//! (a preflight), we never agree, and so nothing arrives. The rule for the body of a POST follows:
//! a type that is written as one and is not one of those three. Types that are badly written are
//! refused as well, because readers disagree about what they mean.
//!
//! Every route that takes a body has one of the two checks; a route that takes none has nothing
//! that a body could change.

use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::guard::single;
use super::problem::Problem;

/// What a page may send without asking.
const UNASKED: [&str; 3] = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
];
/// Longer than any registered type with its parameters.
const MAX_LENGTH: usize = 255;

const JSON_HINT: &str = "send the body as Content-Type: application/json";
const RAW_HINT: &str = "send the body with its own Content-Type, or as application/octet-stream: \
    none at all, text/plain, application/x-www-form-urlencoded and multipart/form-data are not \
    taken, because a web page could send them without asking";

/// The middleware of routes that take JSON.
pub(crate) async fn json_only(request: Request, next: Next) -> Response {
    check(request, next, is_json, JSON_HINT).await
}

/// The middleware of routes that take bodies as they are.
pub(crate) async fn with_permission(request: Request, next: Next) -> Response {
    check(request, next, needs_permission, RAW_HINT).await
}

async fn check(
    request: Request,
    next: Next,
    accepts: impl Fn(&str) -> bool,
    hint: &str,
) -> Response {
    let given = single(request.headers(), &CONTENT_TYPE).ok().flatten();
    if request.method() != Method::POST || given.is_some_and(accepts) {
        return next.run(request).await;
    }
    Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, hint).into_response()
}

/// Whether this is JSON, whatever its parameters.
fn is_json(given: &str) -> bool {
    essence(given).eq_ignore_ascii_case("application/json")
}

/// Whether a page of another origin would have to ask before it sends this.
fn needs_permission(given: &str) -> bool {
    let essence = essence(given);
    is_sound(given)
        && !UNASKED
            .iter()
            .any(|type_| type_.eq_ignore_ascii_case(essence))
}

/// The type without its parameters.
pub(crate) fn essence(given: &str) -> &str {
    given.split(';').next().unwrap_or_default().trim()
}

/// Whether this is `type/subtype`, perhaps with parameters, in letters that a header may hold.
pub(crate) fn is_sound(given: &str) -> bool {
    let is_token = |text: &str| !text.is_empty() && text.bytes().all(is_token_byte);
    let visible = given.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let named = essence(given)
        .split_once('/')
        .is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype));
    named && visible && given.len() <= MAX_LENGTH
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_form_could_send_and_what_is_no_type_is_not_accepted() {
        for given in [
            "",
            "text/plain",
            "Text/Plain;charset=utf-8",
            " text/plain ; application/octet-stream",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "png",
            "image/",
            "/png",
            "text/plain,application/octet-stream",
            "image/png\u{7f}",
            "imäge/png",
        ] {
            assert!(!needs_permission(given), "{given}");
        }
        assert!(!needs_permission(&format!("image/{}", "x".repeat(255))));
    }

    #[test]
    fn every_other_type_is_accepted() {
        for given in [
            "application/octet-stream",
            "image/svg+xml",
            "TEXT/CSV; charset=utf-8",
            "application/json",
            "text/plainer",
        ] {
            assert!(needs_permission(given), "{given}");
        }
    }

    #[test]
    fn json_is_json_with_any_parameter_and_nothing_that_begins_like_it() {
        assert!(is_json("application/json") && is_json("Application/JSON; charset=utf-8"));
        assert!(!is_json("application/jsonx") && !is_json("text/plain; application/json"));
    }
}
