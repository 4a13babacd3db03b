//! Remarks on valid configurations.

use std::collections::BTreeSet;

use greenroom_config::{Effect, Notice, Origin, table};

use crate::documents::uncommented;
use crate::support::Setup;

fn texts(setup: &Setup) -> Vec<String> {
    setup
        .settings()
        .notices
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn exactly_the_keys_without_effect_are_told_when_everything_is_set() {
    let notices = Setup::new().chosen_toml(&uncommented()).settings().notices;
    let told: BTreeSet<&str> = notices
        .iter()
        .filter_map(|notice| match notice {
            Notice::NoEffectYet { key, .. } => Some(*key),
            _ => None,
        })
        .collect();
    let expected: BTreeSet<&str> = table()
        .filter(|row| row.effect == Effect::NotYet)
        .map(|row| row.name)
        .collect();
    assert_eq!(told, expected);
}

#[test]
fn a_key_without_effect_is_told_once_with_all_its_places() {
    let place = |name: &str| Origin::Environment {
        variable: name.to_owned(),
    };
    let notice = Notice::NoEffectYet {
        key: "MAX_TABS",
        places: vec![
            place("PW_MCP_PROXY_MAX_TABS"),
            place("PW_MCP_PROXY__A_MAX_TABS"),
        ],
    };
    let expected = "PW_MCP_PROXY_MAX_TABS, PW_MCP_PROXY__A_MAX_TABS: \
                    MAX_TABS has no effect yet in this version; it may stay";
    assert_eq!(notice.to_string(), expected);
}

#[test]
fn keys_with_effect_and_defaults_are_not_remarked_on() {
    let setup = Setup::new().env("PW_MCP_PROXY_LOG_LEVEL=debug PW_MCP_PROXY_BROWSER=chrome");
    assert_eq!(texts(&setup), [""; 0]);
}

#[test]
fn a_default_that_no_longer_fits_is_advice() {
    let advice = |setup: Setup| {
        let notices = setup.settings().notices;
        let mut found = notices
            .iter()
            .filter(|n| matches!(n, Notice::Advice { .. }));
        let text = found.next().map(ToString::to_string);
        assert!(found.next().is_none());
        text.unwrap()
    };
    let pool = || Setup::new().env("PW_MCP_PROXY__A_INSTANCES=1 PW_MCP_PROXY__A_IS_DEFAULT=true");
    let hold = advice(pool().env("PW_MCP_PROXY__A_LEASE_TIMEOUT=500"));
    assert!(
        hold.starts_with("PW_MCP_PROXY__A_LEASE_TIMEOUT: pool A: MIN_HOLD=10s (default)"),
        "{hold}"
    );
    let probe = advice(pool().env("PW_MCP_PROXY_HEALTH_CHECK_INTERVAL=1"));
    assert!(
        probe.starts_with("PW_MCP_PROXY_HEALTH_CHECK_INTERVAL: "),
        "{probe}"
    );
    let token = advice(Setup::new().env("PW_MCP_PROXY_AUTH_TOKENS=ann:short"));
    assert!(
        token.contains("ann") && !token.contains(":short"),
        "{token}"
    );
    let host = advice(
        Setup::new()
            .env("PW_MCP_PROXY_SERVER_HOST=0.0.0.0 PW_MCP_PROXY_AUTH_TOKENS=ann:0123456789abcdef"),
    );
    assert!(host.contains("ALLOWED_HOSTS"), "{host}");
}
