use serde_json::{Map, Value, json};

/// The revision of the protocol that is offered to a peer of the session era.
pub(super) const OFFERED: &str = "2025-11-25";
/// The revisions of the session era that are understood.
pub(super) const WITH_SESSIONS: &[&str] = &["2024-11-05", "2025-03-26", "2025-06-18", OFFERED];
/// The revision without sessions.
pub(super) const STATELESS: &str = "2026-07-28";

/// Which of the two ways of speaking MCP a peer understands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Era {
    /// A conversation opened by `initialize`, in this revision.
    Session(String),
    /// Every request stands alone and says who asks, in this revision.
    Stateless(String),
}

impl Era {
    /// The revision of the protocol.
    pub fn revision(&self) -> &str {
        match self {
            Self::Session(revision) | Self::Stateless(revision) => revision,
        }
    }

    /// Parameters as this era wants them: a stateless request carries what `initialize` would
    /// have said.
    pub fn dress(&self, params: Value) -> Value {
        let Self::Stateless(revision) = self else {
            return params;
        };
        let Value::Object(mut params) = params else {
            return self.dress(Value::Object(Map::new()));
        };
        let mut meta = match params.remove("_meta") {
            Some(Value::Object(meta)) => meta,
            _ => Map::new(),
        };
        let own = |name: &str| format!("io.modelcontextprotocol/{name}");
        meta.insert(own("protocolVersion"), revision.as_str().into());
        meta.insert(own("clientCapabilities"), json!({}));
        meta.insert(own("clientInfo"), client_info());
        params.insert("_meta".to_owned(), Value::Object(meta));
        Value::Object(params)
    }

    /// The request that a living peer answers at once, whatever its browser does. The stateless
    /// era has no ping.
    pub fn probe(&self) -> (&'static str, Value) {
        match self {
            Self::Session(_) => ("ping", json!({})),
            Self::Stateless(_) => ("server/discover", self.dress(json!({}))),
        }
    }
}

/// Who we say we are.
pub(super) fn client_info() -> Value {
    json!({"name": "greenroom", "version": env!("CARGO_PKG_VERSION")})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stateless_request_says_who_asks_and_keeps_what_was_there() {
        let era = Era::Stateless(STATELESS.to_owned());
        let params = era.dress(json!({"name": "x", "_meta": {"progressToken": 1}}));
        assert_eq!(params["name"], "x");
        assert_eq!(params["_meta"]["progressToken"], 1);
        assert_eq!(
            params["_meta"]["io.modelcontextprotocol/protocolVersion"],
            STATELESS
        );
        assert_eq!(
            params["_meta"]["io.modelcontextprotocol/clientInfo"]["name"],
            "greenroom"
        );
        assert!(era.dress(Value::Null)["_meta"].is_object());
        assert_eq!(era.probe().0, "server/discover");
    }

    #[test]
    fn a_request_within_a_session_is_left_as_it_is() {
        let era = Era::Session(OFFERED.to_owned());
        assert_eq!(era.dress(json!({"name": "x"})), json!({"name": "x"}));
        assert_eq!(era.probe(), ("ping", json!({})));
    }
}
