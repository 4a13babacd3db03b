//! A storage state, as Playwright writes it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::native::protocol::network::{self, CookieParam, CookiePartitionKey, SameSite};

/// A storage state.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    #[serde(default)]
    pub(super) cookies: Vec<Cookie>,
    #[serde(default)]
    pub(super) origins: Vec<Origin>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Cookie {
    name: String,
    value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    domain: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    expires: Option<f64>,
    http_only: Option<bool>,
    secure: Option<bool>,
    same_site: Option<SameSite>,
    /// The site below which it is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    partition_key: Option<String>,
    #[serde(
        rename = "_crHasCrossSiteAncestor",
        skip_serializing_if = "Option::is_none"
    )]
    has_cross_site_ancestor: Option<bool>,
}

/// What a site keeps.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Origin {
    pub(super) origin: String,
    #[serde(default)]
    pub(super) local_storage: Vec<Item>,
    /// Databases, which the script that makes them reads itself.
    #[serde(default, rename = "indexedDB", skip_serializing_if = "Vec::is_empty")]
    pub(super) databases: Vec<Value>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Item {
    pub(super) name: String,
    pub(super) value: String,
}

impl Cookie {
    pub(super) fn into_param(self) -> CookieParam {
        let has_cross_site_ancestor = self.has_cross_site_ancestor.unwrap_or_default();
        CookieParam {
            name: self.name,
            value: self.value,
            url: self.url,
            domain: self.domain,
            path: self.path,
            secure: self.secure,
            http_only: self.http_only,
            same_site: self.same_site,
            // A cookie of the session has −1 here and nothing there.
            expires: self.expires.filter(|expires| *expires >= 0.0),
            partition_key: self.partition_key.map(|top_level_site| CookiePartitionKey {
                top_level_site,
                has_cross_site_ancestor,
            }),
        }
    }
}

impl From<network::Cookie> for Cookie {
    fn from(cookie: network::Cookie) -> Self {
        let (site, ancestor) = cookie.partition_key.map_or((None, None), |key| {
            (Some(key.top_level_site), Some(key.has_cross_site_ancestor))
        });
        Self {
            name: cookie.name,
            value: cookie.value,
            domain: Some(cookie.domain),
            path: Some(cookie.path),
            url: None,
            expires: Some(cookie.expires),
            http_only: Some(cookie.http_only),
            secure: Some(cookie.secure),
            // What browsers make of a cookie that says nothing of it.
            same_site: Some(cookie.same_site.unwrap_or(SameSite::Lax)),
            partition_key: site,
            has_cross_site_ancestor: ancestor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_cookie_reads_and_writes_as_playwrights() {
        let written = json!({"name": "n", "value": "v", "domain": "a", "path": "/", "expires": 5.0,
            "httpOnly": true, "secure": true, "sameSite": "None", "partitionKey": "https://b",
            "_crHasCrossSiteAncestor": true});
        let cookie: Cookie = serde_json::from_value(written.clone()).unwrap();
        assert_eq!(serde_json::to_value(&cookie).unwrap(), written);
        let param = cookie.into_param();
        let key = param.partition_key.unwrap();
        assert!(key.top_level_site == "https://b" && key.has_cross_site_ancestor);
        assert_eq!((param.expires, param.secure), (Some(5.0), Some(true)));
    }

    #[test]
    fn a_cookie_of_the_session_has_no_end() {
        let short = json!({"name": "n", "value": "v", "url": "http://a/", "expires": -1});
        let cookie: Cookie = serde_json::from_value(short).unwrap();
        assert_eq!(cookie.into_param().expires, None);
    }
}
