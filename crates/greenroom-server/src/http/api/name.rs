//! The name at the end of a path.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use crate::http::problem::Problem;

/// What a path names, as text.
pub(super) struct Name(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        let name = path.map(|Path(name)| Self(name));
        name.map_err(|_| {
            Problem::invalid("the end of the path is no text: write it as percent-encoded UTF-8")
        })
    }
}
