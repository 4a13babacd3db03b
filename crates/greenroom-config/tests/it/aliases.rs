//! Names of earlier programs.

use std::time::Duration;

use greenroom_config::{Key, Notice, Scope};

use crate::support::{Setup, pool, told};

#[test]
fn older_names_set_their_keys() {
    let setup = Setup::new()
        .env("PLAYWRIGHT_PROXY_SERVER_HOST=127.0.0.1 PLAYWRIGHT_PROXY_SERVER_PORT=8080")
        .env("PLAYWRIGHT_PROXY_DATABASE_PATH=./proxy.db PLAYWRIGHT_PROXY_LOG_LEVEL=INFO")
        .env(
            "PLAYWRIGHT_PROXY_PLAYWRIGHT_BROWSER=chrome PLAYWRIGHT_PROXY_PLAYWRIGHT_HEADLESS=false",
        )
        .env("PLAYWRIGHT_PROXY_HEALTH_CHECK_INTERVAL=31 PLAYWRIGHT_PROXY_MAX_RESTART_ATTEMPTS=4")
        .env("PLAYWRIGHT_PROXY_RESTART_WINDOW=301 PLAYWRIGHT_PROXY_SHUTDOWN_TIMEOUT=6")
        .env("BROWSER_TIMEOUT_MINUTES=45");
    let settings = setup.settings();
    let server = &settings.server;
    assert_eq!((server.host.as_str(), server.port), ("127.0.0.1", 8080));
    assert_eq!(server.database_path, setup.work().join("proxy.db"));
    assert_eq!(server.log_level.as_str(), "info");
    assert_eq!(server.shutdown_timeout, Duration::from_secs(6));
    let instance = &settings.default_pool().instances[0];
    assert_eq!(instance.browser.as_str(), "chrome");
    assert!(!instance.headless);
    assert_eq!(instance.health_check_interval, Duration::from_secs(31));
    assert_eq!(instance.max_restart_attempts, 4);
    assert_eq!(instance.restart_window, Duration::from_secs(301));
    assert_eq!(instance.session_timeout, Duration::from_secs(45 * 60));
}

#[test]
fn older_names_come_with_a_notice_of_the_new_one() {
    let settings = Setup::new().env("BROWSER_TIMEOUT_MINUTES=45").settings();
    let notices: Vec<String> = settings
        .notices
        .iter()
        .filter(|notice| matches!(notice, Notice::OldName { .. }))
        .map(ToString::to_string)
        .collect();
    let expected = "BROWSER_TIMEOUT_MINUTES: an older name (in minutes here); \
                    PW_MCP_PROXY_SESSION_TIMEOUT is the name of today";
    assert_eq!(notices, [expected]);
}

#[test]
fn log_levels_of_python_are_understood() {
    for (word, level) in [
        ("WARNING", "warn"),
        ("CRITICAL", "error"),
        ("DEBUG", "debug"),
    ] {
        let settings = Setup::new()
            .var("PLAYWRIGHT_PROXY_LOG_LEVEL", word)
            .settings();
        assert_eq!(settings.server.log_level.as_str(), level);
    }
}

#[test]
fn the_keys_own_name_wins_in_the_same_source_and_the_source_wins_otherwise() {
    // Variables come in alphabetical order, so one pair has the older name
    // first and the other pair has it last.
    let settings = Setup::new()
        .env("PLAYWRIGHT_PROXY_SERVER_PORT=1 PW_MCP_PROXY_SERVER_PORT=2")
        .env("BROWSER_TIMEOUT_MINUTES=1 PW_MCP_PROXY_SESSION_TIMEOUT=2")
        .dotenv("PW_MCP_PROXY_LOG_LEVEL=warn\nPLAYWRIGHT_PROXY_LOG_LEVEL=error\n")
        .settings();
    assert_eq!(settings.server.port, 2);
    assert_eq!(
        told(&settings, &pool("DEFAULT"), Key::SessionTimeout).0,
        "2s"
    );
    assert_eq!(settings.server.log_level.as_str(), "warn");
    let settings = Setup::new()
        .dotenv("PW_MCP_PROXY_SERVER_PORT=2\n")
        .env("PLAYWRIGHT_PROXY_SERVER_PORT=1")
        .settings();
    let expected = (
        "1".to_owned(),
        "environment PLAYWRIGHT_PROXY_SERVER_PORT".to_owned(),
    );
    assert_eq!(told(&settings, &Scope::Global, Key::ServerPort), expected);
}

#[test]
fn a_wrong_value_is_told_under_the_name_that_was_used() {
    Setup::new().env("BROWSER_TIMEOUT_MINUTES=never").says(&[
        "BROWSER_TIMEOUT_MINUTES: ",
        "SESSION_TIMEOUT is `never`",
        "a number of minutes",
    ]);
}

#[test]
fn names_of_the_first_version_stop_the_start_with_the_new_name() {
    for (old, new) in [
        ("PLAYWRIGHT_HEADLESS", "PW_MCP_PROXY_HEADLESS"),
        ("PLAYWRIGHT_BROWSER", "PW_MCP_PROXY_BROWSER"),
        ("PLAYWRIGHT_ISOLATED", "PW_MCP_PROXY_ISOLATED"),
        ("PLAYWRIGHT_TIMEOUT", "PW_MCP_PROXY_TIMEOUT"),
        ("PLAYWRIGHT_WSL_WINDOWS", "PW_MCP_PROXY_WSL_WINDOWS"),
        ("PLAYWRIGHT_INSTANCES", "PW_MCP_PROXY__<POOL>_INSTANCES"),
        ("PLAYWRIGHT_IS_DEFAULT", "PW_MCP_PROXY__<POOL>_IS_DEFAULT"),
        ("PLAYWRIGHT_DESCRIPTION", "PW_MCP_PROXY__<POOL>_DESCRIPTION"),
        ("PLAYWRIGHT_ALIAS", "PW_MCP_PROXY__<POOL>__<ID>_ALIAS"),
    ] {
        let remedy = format!("rename it to {new}");
        Setup::new()
            .var(old, "1")
            .says(&[&format!("{old}: "), &remedy]);
        let dotenv = format!("export {old}=1\n");
        Setup::new().dotenv(&dotenv).says(&[".env:1", old, &remedy]);
    }
}
