//! What pages ask of the network, and what comes back.

mod events;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Command, Done, RequestId};

pub use events::*;

/// Headers by name. Several of one name are one, with line feeds between their values.
pub type Headers = Map<String, Value>;

command! {
    /// Asks for the events of this domain.
    Enable = "Network.enable" -> Done {} {
        max_total_buffer_size: u64,
        max_resource_buffer_size: u64,
        max_post_data_size: u64,
    }

    /// The body of a response. The browser keeps the newest ones, up to the sizes above.
    GetResponseBody = "Network.getResponseBody" -> Body { request_id: RequestId }

    /// What was sent with a request.
    GetRequestPostData = "Network.getRequestPostData" -> PostData { request_id: RequestId }

    /// Sends these with every request.
    SetExtraHttpHeaders = "Network.setExtraHTTPHeaders" -> Done { headers: Headers }

    /// Whether anything is taken from the cache.
    SetCacheDisabled = "Network.setCacheDisabled" -> Done { cache_disabled: bool }

    /// Whether service workers are passed by.
    SetBypassServiceWorker = "Network.setBypassServiceWorker" -> Done { bypass: bool }

    /// Takes the network away, or makes it slow.
    EmulateNetworkConditions = "Network.emulateNetworkConditions" -> Done {
        offline: bool,
        latency: f64,
        download_throughput: f64,
        upload_throughput: f64,
    }
}

received! {
    /// A body, as text or in base64.
    Body { body: String, base64_encoded: bool }
    /// What was sent with a request.
    PostData { post_data: String }
}

/// To which sites a cookie is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named and documented by the protocol")]
pub enum SameSite {
    Strict,
    Lax,
    None,
}

received! {
    /// A cookie as the browser has it.
    Cookie {
        name: String,
        value: String,
        domain: String,
        path: String,
        /// Seconds since 1970; −1 for a cookie of the session.
        expires: f64,
        http_only: bool,
        secure: bool,
        session: bool,
        same_site: Option<SameSite>,
        partition_key: Option<CookiePartitionKey>,
    }
}

/// The site below which a cookie of another site is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "named and documented by the protocol")]
pub struct CookiePartitionKey {
    pub top_level_site: String,
    pub has_cross_site_ancestor: bool,
}

/// A cookie to set.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "named and documented by the protocol")]
pub struct CookieParam {
    pub name: String,
    pub value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_only: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secure: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_site: Option<SameSite>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition_key: Option<CookiePartitionKey>,
}
