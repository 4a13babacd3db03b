//! Requests that stop at our door: to let them pass, to turn them away, or to say who we are.

use serde::Serialize;

use super::network::Request;
use super::{Command, Done, Event, FrameId, RequestId};

/// Which requests stop.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "named and documented by the protocol")]
pub struct RequestPattern {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url_pattern: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_type: Option<String>,
}

/// What a proxy or a server is told that asks who we are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "named and documented by the protocol")]
pub struct AuthChallengeResponse {
    /// `Default`, `CancelAuth` or `ProvideCredentials`.
    pub response: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
}

/// A header of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "named and documented by the protocol")]
pub struct HeaderEntry {
    pub name: String,
    pub value: String,
}

command! {
    /// Stops requests; each must be let go by its event.
    Enable = "Fetch.enable" -> Done {} {
        patterns: Vec<RequestPattern>,
        handle_auth_requests: bool,
    }

    /// Stops no more.
    Disable = "Fetch.disable" -> Done {}

    /// Lets a request pass.
    ContinueRequest = "Fetch.continueRequest" -> Done { request_id: RequestId }

    /// Turns a request away, with a reason such as `BlockedByClient`.
    FailRequest = "Fetch.failRequest" -> Done { request_id: RequestId, error_reason: String }

    /// Answers a request in the place of its server. The body is in base64.
    FulfillRequest = "Fetch.fulfillRequest" -> Done { request_id: RequestId, response_code: u16 } {
        response_headers: Vec<HeaderEntry>,
        body: String,
    }

    /// Says who we are.
    ContinueWithAuth = "Fetch.continueWithAuth" -> Done {
        request_id: RequestId,
        auth_challenge_response: AuthChallengeResponse,
    }
}

event! {
    /// A request stands at the door.
    RequestPaused = "Fetch.requestPaused" {
        request_id: RequestId,
        request: Request,
        frame_id: FrameId,
        resource_type: String,
        /// Its name in the events of `Network`.
        network_id: Option<RequestId>,
    }
    /// Somebody asks who we are.
    AuthRequired = "Fetch.authRequired" {
        request_id: RequestId,
        request: Request,
        frame_id: FrameId,
    }
}
