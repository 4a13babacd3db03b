//! What every request must pass, whatever its route: host, origin, token.
//!
//! The order matters. Host and origin come first because they tell whether the request comes from
//! where it may; only then is it told whether its token is right. There are no CORS headers at all:
//! a page of another origin can neither read an answer nor send what we accept, because what changes
//! something is either a DELETE or a POST whose content type it may not send without asking first
//! (`content_type`).

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::HttpError;
use super::authority::{HostList, OriginList};
use super::problem::Problem;
use super::tokens::{Tokens, bearer};
use crate::identity::Principal;

/// The one route that a watchdog without a token may ask.
const OPEN_ROUTE: &str = "/health";

/// The checks, as configured.
#[derive(Clone)]
pub struct Guard {
    hosts: HostList,
    origins: OriginList,
    tokens: Tokens,
}

impl Guard {
    /// `None` for hosts or origins means those of this machine, on any port. Without tokens every
    /// caller is `local`.
    ///
    /// # Errors
    /// An entry that could never match, or an empty token.
    pub fn new(
        hosts: Option<&[String]>,
        origins: Option<&[String]>,
        tokens: &[(String, String)],
    ) -> Result<Self, HttpError> {
        Ok(Self {
            hosts: hosts.map_or_else(|| Ok(HostList::loopback()), HostList::new)?,
            origins: origins.map_or(Ok(OriginList::Loopback), OriginList::new)?,
            tokens: Tokens::new(tokens)?,
        })
    }

    /// Whether callers need a token.
    pub(crate) fn wants_tokens(&self) -> bool {
        !self.tokens.is_empty()
    }

    fn check_host(&self, request: &Request) -> Result<(), Problem> {
        // An absolute request target overrides the header, so both must be ours.
        let target = request
            .uri()
            .authority()
            .map(|authority| authority.as_str());
        let header = single(request.headers(), &HOST)
            .map_err(|()| Problem::new(StatusCode::BAD_REQUEST, "send one readable Host header"))?;
        let Some(header) = header else {
            return Err(Problem::new(StatusCode::BAD_REQUEST, "send a Host header"));
        };
        if [Some(header), target]
            .into_iter()
            .flatten()
            .all(|host| self.hosts.allows(host))
        {
            return Ok(());
        }
        let detail = "this Host is not served: add it to ALLOWED_HOSTS if it should be";
        Err(Problem::new(StatusCode::FORBIDDEN, detail))
    }

    fn check_origin(&self, headers: &HeaderMap) -> Result<(), Problem> {
        match single(headers, &ORIGIN) {
            Ok(None) => Ok(()),
            Ok(Some(origin)) if self.origins.allows(origin) => Ok(()),
            _ => {
                let detail = "this Origin may not call: add it to ALLOWED_ORIGINS if it should";
                Err(Problem::new(StatusCode::FORBIDDEN, detail))
            }
        }
    }

    /// Who calls; `None` if the token does not say.
    fn authenticate(&self, headers: &HeaderMap) -> Option<Principal> {
        if self.tokens.is_empty() {
            return Some(Principal::local());
        }
        let header = single(headers, &AUTHORIZATION).ok()??;
        self.tokens.principal(bearer(header)?)
    }

    /// Lets the request in with its principal, or says why not.
    fn admit(&self, request: &mut Request) -> Result<(), Problem> {
        self.check_host(request)?;
        self.check_origin(request.headers())?;
        match self.authenticate(request.headers()) {
            Some(principal) => request.extensions_mut().insert(principal),
            None if request.uri().path() == OPEN_ROUTE => None,
            None => return Err(unauthorized()),
        };
        // It has done its work; what is not passed on cannot be logged or forwarded.
        request.headers_mut().remove(AUTHORIZATION);
        Ok(())
    }
}

/// The value of a header that may come once; `Err` if it comes twice or is not text.
pub(crate) fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, ()> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| ()),
        (Some(_), Some(_)) => Err(()),
    }
}

fn unauthorized() -> Problem {
    let detail = "send Authorization: Bearer with one of the configured AUTH_TOKENS";
    Problem::new(StatusCode::UNAUTHORIZED, detail)
}

/// The middleware around all routes.
pub(crate) async fn guard(
    State(guard): State<Arc<Guard>>,
    mut request: Request,
    next: Next,
) -> Response {
    let mut response = match guard.admit(&mut request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    harden(response.headers_mut());
    response
}

/// Answers hold what is on people's pages: not for caches, not for other sites, not to be guessed at.
fn harden(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-store"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
