//! The newest blobs.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Query, State};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Blob;
use crate::http::problem::Problem;
use crate::identity::Principal;
use crate::service::Service;

/// How many are listed when nobody says.
const DEFAULT_LIMIT: usize = 100;
/// The most that are listed at once.
const MAX_LIMIT: usize = 1000;

/// Stored binaries.
#[derive(Serialize, ToSchema)]
pub(in crate::http::api) struct Blobs {
    /// Last named first.
    blobs: Vec<Blob>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListQuery {
    limit: Option<usize>,
}

pub(super) async fn list(
    State(service): State<Service>,
    Extension(principal): Extension<Principal>,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Json<Blobs>, Problem> {
    let asked = query.ok().map(|Query(query)| query.limit);
    let limit = asked.map(|limit| limit.unwrap_or(DEFAULT_LIMIT));
    let Some(limit) = limit.filter(|limit| (1..=MAX_LIMIT).contains(limit)) else {
        let detail = format!("the one parameter is limit, a number from 1 to {MAX_LIMIT}");
        return Err(Problem::invalid(detail));
    };
    let blobs = service.blobs(&principal, limit).await?;
    let blobs = blobs.into_iter().map(Blob::from).collect();
    Ok(Json(Blobs { blobs }))
}
