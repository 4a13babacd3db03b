//! Our own routes: plain HTTP for programs that do not speak MCP.
//!
//! A route is one row: path, method, handler, what body it takes, and the operation that describes it. The router and
//! `GET /openapi.json` are both built from the same rows, so that neither can know a route that
//! the other does not. Apart from blobs and status, a handler turns its request into the arguments
//! of a tool and calls the service exactly as MCP does; what the tools take and answer is described
//! by their own schemas, which the document repeats.
//!
//! - `status`: `/health`, `/ready`, `/pools`
//! - `sessions`: open, list, close
//! - `proxy`: any tool
//! - `content`: what a call left behind, read again
//! - `blobs`: binaries in and out
//! - `call`: from a tool's answer to JSON or a problem
//! - `describe`, `response`, `openapi`: the document

mod blobs;
mod call;
mod content;
mod describe;
mod name;
mod openapi;
mod proxy;
mod response;
mod sessions;
mod status;

use axum::Router;
use axum::extract::FromRef;
use axum::middleware;
use axum::routing::MethodRouter;
use utoipa::openapi::path::{HttpMethod, Operation};

use self::describe::{Describe, Takes};
use super::body::BodyLimits;
use super::content_type::{json_only, with_permission};
use crate::service::Service;

/// What handlers are given.
#[derive(Clone)]
pub(crate) struct Api {
    pub(crate) service: Service,
    pub(crate) body: BodyLimits,
}

impl FromRef<Api> for Service {
    fn from_ref(api: &Api) -> Self {
        api.service.clone()
    }
}

impl FromRef<Api> for BodyLimits {
    fn from_ref(api: &Api) -> Self {
        api.body
    }
}

/// One method of one path.
struct Route {
    path: &'static str,
    method: HttpMethod,
    handler: MethodRouter<Api>,
    takes: Takes,
    operation: Operation,
}

impl Route {
    fn new(
        method: HttpMethod,
        path: &'static str,
        handler: MethodRouter<Api>,
        description: Describe,
    ) -> Self {
        let (takes, operation) = description.done();
        Self {
            path,
            method,
            handler,
            takes,
            operation,
        }
    }

    /// Adds the route to others, behind the check of what it takes.
    fn mount(self, router: Router<Api>) -> Router<Api> {
        let handler = match self.takes {
            Takes::Nothing => self.handler,
            Takes::Json => self.handler.route_layer(middleware::from_fn(json_only)),
            Takes::Bytes => {
                let check = middleware::from_fn(with_permission);
                self.handler.route_layer(check)
            }
        };
        router.route(self.path, handler)
    }
}

/// All routes of ours, described for callers who need a token or do not.
pub(crate) fn router(api: Api, wants_tokens: bool) -> Router {
    let mut routes = Vec::new();
    routes.extend(status::routes());
    routes.extend(sessions::routes());
    routes.extend(proxy::routes());
    routes.extend(content::routes());
    routes.extend(blobs::routes());
    routes.push(openapi::route(&routes, wants_tokens));
    routes
        .into_iter()
        .fold(Router::new(), |router, route| route.mount(router))
        .with_state(api)
}
