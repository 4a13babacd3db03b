//! What is said about the bytes of a blob.
//!
//! They may be a web page with scripts, and they are served from our own origin, where scripts
//! could call every route. So a browser is told three things, each of which would be enough: to
//! save them as a file (all but pictures of kinds that cannot hold a script), to run nothing in
//! them, and not to guess another type (that header is on every answer of ours).

use axum::http::header::{
    ACCEPT_RANGES, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
};
use axum::http::{HeaderMap, HeaderValue};

use crate::http::content_type;
use crate::service::BlobView;

/// Pictures that are only pictures.
const SHOWN: [&str; 5] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/avif",
];
const NOTHING_RUNS: &str = "sandbox; default-src 'none'";
const UNKNOWN_TYPE: &str = "application/octet-stream";

/// The tag of a blob.
pub(super) fn tag(blob: &BlobView) -> String {
    format!("\"{}\"", blob.id)
}

/// What goes with a blob and with any part of it.
pub(super) fn about(blob: &BlobView) -> HeaderMap {
    let mut headers = common(blob);
    headers.insert(CONTENT_TYPE, type_of(&blob.mime_type));
    headers.insert(CONTENT_DISPOSITION, disposition(blob));
    let policy = HeaderValue::from_static(NOTHING_RUNS);
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    headers
}

/// What goes with an answer that leaves the bytes out.
pub(super) fn common(blob: &BlobView) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.extend(text(&tag(blob)).map(|tag| (ETAG, tag)));
    headers
}

fn type_of(given: &str) -> HeaderValue {
    let sound = content_type::is_sound(given).then(|| text(given)).flatten();
    sound.unwrap_or(HeaderValue::from_static(UNKNOWN_TYPE))
}

fn disposition(blob: &BlobView) -> HeaderValue {
    let essence = content_type::essence(&blob.mime_type);
    if SHOWN
        .iter()
        .any(|shown| shown.eq_ignore_ascii_case(essence))
    {
        return HeaderValue::from_static("inline");
    }
    let named = text(&format!("attachment; filename=\"{}\"", blob.id));
    named.unwrap_or(HeaderValue::from_static("attachment"))
}

fn text(value: &str) -> Option<HeaderValue> {
    HeaderValue::from_str(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(mime_type: &str) -> (String, String, String) {
        let blob = BlobView {
            id: "sha256-0".to_owned(),
            size: 1,
            mime_type: mime_type.to_owned(),
            named_at: String::new(),
        };
        let headers = about(&blob);
        let get = |name| headers[name].to_str().unwrap().to_owned();
        (
            get(&CONTENT_TYPE),
            get(&CONTENT_DISPOSITION),
            get(&CONTENT_SECURITY_POLICY),
        )
    }

    #[test]
    fn only_pictures_that_cannot_hold_a_script_are_shown() {
        for mime_type in SHOWN.into_iter().chain(["Image/PNG", "image/png; q=1"]) {
            assert_eq!(said(mime_type).1, "inline", "{mime_type}");
        }
        for mime_type in [
            "image/svg+xml",
            "text/html",
            "application/xhtml+xml",
            "text/xml",
            "application/xml",
            "text/javascript",
            "application/pdf",
            "text/csv",
            "image/png+html",
            "",
        ] {
            let disposition = said(mime_type).1;
            assert_eq!(
                disposition, "attachment; filename=\"sha256-0\"",
                "{mime_type}"
            );
        }
    }

    #[test]
    fn nothing_runs_whatever_the_type() {
        for mime_type in ["image/png", "text/html", "image/svg+xml"] {
            assert_eq!(said(mime_type).2, NOTHING_RUNS);
        }
    }

    #[test]
    fn a_type_that_is_none_is_only_bytes() {
        for mime_type in ["", "html", "text/html\r\nX: y", "a/b\u{e4}"] {
            assert_eq!(said(mime_type).0, UNKNOWN_TYPE, "{mime_type}");
        }
        assert_eq!(said("text/csv; charset=utf-8").0, "text/csv; charset=utf-8");
    }
}
