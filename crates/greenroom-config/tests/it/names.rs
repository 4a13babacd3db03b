//! Where a pool's name ends and its key begins.

use std::time::Duration;

use greenroom_config::Key;

use crate::support::{Setup, instance, pool, told};

fn declared(pools: &[&str]) -> Setup {
    let setup = pools.iter().fold(Setup::new(), |setup, pool| {
        setup.var(&format!("PW_MCP_PROXY__{pool}_INSTANCES"), "2")
    });
    setup.var(&format!("PW_MCP_PROXY__{}_IS_DEFAULT", pools[0]), "true")
}

#[test]
fn pools_may_be_named_like_keys() {
    let settings = declared(&["ISOLATED"])
        .env("PW_MCP_PROXY__ISOLATED_ISOLATED=true PW_MCP_PROXY__ISOLATED__1_ISOLATED=false")
        .settings();
    let isolated: Vec<bool> = settings.pools[0]
        .instances
        .iter()
        .map(|i| i.isolated)
        .collect();
    assert_eq!(isolated, [true, false]);
}

#[test]
fn pools_may_contain_underscores() {
    let settings = declared(&["MY_POOL"]).settings();
    assert!(settings.pool("MY_POOL").unwrap().is_default);
}

#[test]
fn the_declared_pool_decides_an_ambiguous_name() {
    let name = "PW_MCP_PROXY__X_SESSION_TIMEOUT";
    let long = declared(&["X"]).var(name, "7").settings();
    assert_eq!(
        long.pools[0].instances[0].session_timeout,
        Duration::from_secs(7)
    );
    let short = declared(&["X_SESSION"]).var(name, "7").settings();
    assert_eq!(
        short.pools[0].instances[0].timeout,
        Duration::from_millis(7)
    );
}

#[test]
fn a_pool_named_like_the_start_of_a_key_is_declared_by_its_other_variables() {
    let settings = Setup::new()
        .env("PW_MCP_PROXY__A_MAX_IS_DEFAULT=true PW_MCP_PROXY__A_MAX_INSTANCES=4")
        .settings();
    assert_eq!(settings.pools[0].name.as_str(), "A_MAX");
    assert_eq!(settings.pools[0].instances.len(), 4);
}

#[test]
fn a_toml_table_and_an_override_declare_a_pool_too() {
    let settings = Setup::new()
        .toml("[pools.A_MAX]\nis_default = true\n")
        .env("PW_MCP_PROXY__A_MAX_INSTANCES=4")
        .settings();
    assert_eq!(settings.pools[0].instances.len(), 4);
    let settings = declared(&["D"])
        .env("PW_MCP_PROXY__A_MAX__0_HEADLESS=true PW_MCP_PROXY__A_MAX_INSTANCES=4")
        .settings();
    assert_eq!(settings.pool("A_MAX").unwrap().instances.len(), 4);
}

#[test]
fn without_a_declared_pool_the_longest_key_wins() {
    declared(&["D"])
        .env("PW_MCP_PROXY__A_MAX_INSTANCES=4")
        .says(&["PW_MCP_PROXY__A_MAX_INSTANCES: ", "pool A does not say"]);
}

#[test]
fn two_declared_splits_are_an_error_that_names_both() {
    declared(&["X", "X_SESSION"])
        .env("PW_MCP_PROXY__X_SESSION_TIMEOUT=7")
        .says(&[
            "PW_MCP_PROXY__X_SESSION_TIMEOUT: ",
            "SESSION_TIMEOUT of pool X ",
            "TIMEOUT of pool X_SESSION",
            "rename one",
        ]);
}

#[test]
fn an_ambiguous_name_can_be_avoided_with_a_flag_or_toml() {
    let settings = declared(&["X", "X_SESSION"])
        .set("X.SESSION_TIMEOUT=7")
        .set("X_SESSION.TIMEOUT=8")
        .settings();
    assert_eq!(told(&settings, &pool("X"), Key::SessionTimeout).0, "7s");
    assert_eq!(told(&settings, &pool("X_SESSION"), Key::Timeout).0, "8ms");
}

#[test]
fn set_takes_every_form_of_name() {
    let settings = declared(&["SCRAPE"])
        .set("BROWSER=chrome")
        .set("SCRAPE.headless=false")
        .set("SCRAPE.0.HEADLESS=true")
        .set("PW_MCP_PROXY__SCRAPE__1_BROWSER=msedge")
        .settings();
    for (scope, key, value, origin) in [
        (pool("SCRAPE"), Key::Browser, "chrome", "flag --set BROWSER"),
        (
            pool("SCRAPE"),
            Key::Headless,
            "false",
            "flag --set SCRAPE.headless",
        ),
        (
            instance("SCRAPE", 0),
            Key::Headless,
            "true",
            "flag --set SCRAPE.0.HEADLESS",
        ),
        (
            instance("SCRAPE", 1),
            Key::Browser,
            "msedge",
            "flag --set PW_MCP_PROXY__SCRAPE__1_BROWSER",
        ),
    ] {
        let expected = (value.to_owned(), origin.to_owned());
        assert_eq!(told(&settings, &scope, key), expected);
    }
}

#[test]
fn foreign_variables_are_left_alone() {
    let settings = Setup::new()
        .env("PLAYWRIGHT_BROWSERS_PATH=/x PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 PW_MCP_PROXY=1")
        .env("pw_mcp_proxy_headless=false BROWSER=firefox")
        .settings();
    assert!(settings.pools[0].instances[0].headless);
}

#[test]
fn an_empty_variable_is_not_set_and_declares_nothing() {
    let settings = Setup::new()
        .env("PW_MCP_PROXY_TIMEOUT= PW_MCP_PROXY__A_INSTANCES= PW_MCP_PROXY_TYPO= PLAYWRIGHT_HEADLESS=")
        .settings();
    assert_eq!(settings.pools[0].name.as_str(), "DEFAULT");
    assert_eq!(told(&settings, &pool("DEFAULT"), Key::Timeout).1, "default");
}

#[test]
fn an_empty_description_is_a_value() {
    let settings = declared(&["A"])
        .toml("[pools.A]\ndescription = \"from the file\"\n")
        .env("PW_MCP_PROXY__A_DESCRIPTION=")
        .settings();
    assert_eq!(settings.pools[0].description, "");
}
