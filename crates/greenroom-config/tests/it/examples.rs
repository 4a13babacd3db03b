//! The example files resolve to what they promise, value by value and level
//! by level.

use std::fs;
use std::path::Path;
use std::time::Duration;

use greenroom_config::{Engine, Key, Level, Settings};

use crate::support::{Setup, instance};

fn example(name: &str) -> Settings {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(name);
    Setup::new()
        .dotenv(&fs::read_to_string(path).unwrap())
        .settings()
}

/// Browser, headless and timeout of every instance of a pool.
fn worlds(settings: &Settings, pool: &str) -> Vec<(&'static str, bool, Duration)> {
    let instances = &settings.pool(pool).unwrap().instances;
    instances
        .iter()
        .map(|i| (i.browser.as_str(), i.headless, i.timeout))
        .collect()
}

/// The levels that browser, headless and timeout of an instance come from.
fn levels(settings: &Settings, pool: &str, id: u32) -> [Option<Level>; 3] {
    [Key::Browser, Key::Headless, Key::Timeout]
        .map(|key| settings.explain(&instance(pool, id), key).level)
}

const HALF_A_MINUTE: Duration = Duration::from_secs(30);
const GLOBAL: Option<Level> = Some(Level::Global);
const POOL: Option<Level> = Some(Level::Pool);
const INSTANCE: Option<Level> = Some(Level::Instance);

#[test]
fn a_single_pool_inherits_what_is_said_for_all() {
    let settings = example("single-pool.env");
    assert_eq!(settings.default_pool().name.as_str(), "DEFAULT");
    assert_eq!(
        worlds(&settings, "DEFAULT"),
        [("chromium", true, HALF_A_MINUTE); 3]
    );
    assert_eq!(levels(&settings, "DEFAULT", 2), [GLOBAL; 3]);
}

#[test]
fn a_pool_overrides_what_is_said_for_all() {
    let settings = example("pool-overrides.env");
    assert_eq!(settings.default_pool().name.as_str(), "SESSIONLESS");
    assert_eq!(
        worlds(&settings, "SESSIONLESS"),
        [("chromium", true, HALF_A_MINUTE); 5]
    );
    assert_eq!(
        worlds(&settings, "ISOLATED"),
        [("firefox", false, HALF_A_MINUTE); 2]
    );
    assert_eq!(levels(&settings, "SESSIONLESS", 0), [GLOBAL, GLOBAL, None]);
    assert_eq!(levels(&settings, "ISOLATED", 1), [POOL, POOL, None]);
    assert!(
        settings
            .pool("ISOLATED")
            .unwrap()
            .instances
            .iter()
            .all(|i| i.isolated)
    );
    assert!(
        settings
            .pool("SESSIONLESS")
            .unwrap()
            .instances
            .iter()
            .all(|i| !i.isolated)
    );
}

#[test]
fn an_instance_overrides_its_pool() {
    let settings = example("three-levels.env");
    let expected = [
        ("msedge", true, HALF_A_MINUTE),
        ("firefox", false, HALF_A_MINUTE),
        ("chromium", true, HALF_A_MINUTE),
    ];
    assert_eq!(worlds(&settings, "BROWSERS"), expected);
    let aliases: Vec<_> = settings
        .default_pool()
        .instances
        .iter()
        .map(|i| i.alias.as_deref())
        .collect();
    assert_eq!(aliases, [Some("edge_main"), Some("firefox_debug"), None]);
    assert_eq!(levels(&settings, "BROWSERS", 0), [INSTANCE, GLOBAL, GLOBAL]);
    assert_eq!(
        levels(&settings, "BROWSERS", 1),
        [INSTANCE, INSTANCE, GLOBAL]
    );
    assert_eq!(levels(&settings, "BROWSERS", 2), [GLOBAL; 3]);
}

#[test]
fn windows_browsers_are_driven_from_wsl_by_the_playwright_engine() {
    let settings = example("wsl-windows.env");
    assert_eq!(
        worlds(&settings, "WINDOWS"),
        [("msedge", false, HALF_A_MINUTE); 2]
    );
    assert_eq!(levels(&settings, "WINDOWS", 0), [GLOBAL, GLOBAL, None]);
    for instance in &settings.default_pool().instances {
        assert!(instance.wsl_windows);
        assert_eq!(instance.engine(), Engine::Playwright);
    }
}

#[test]
fn many_pools_share_what_is_said_for_all_and_describe_themselves() {
    let settings = example("many-browsers.env");
    let minute = Duration::from_secs(60);
    assert_eq!(settings.default_pool().name.as_str(), "CHROMIUM");
    for (pool, browser, count, description) in [
        ("CHROMIUM", "chromium", 5, "Everyday browsing and scraping"),
        ("FIREFOX", "firefox", 3, "Does it work in Firefox too?"),
        ("WEBKIT", "webkit", 2, "Safari's engine, for mobile pages"),
    ] {
        assert_eq!(
            worlds(&settings, pool),
            vec![(browser, true, minute); count]
        );
        assert_eq!(levels(&settings, pool, 0), [POOL, GLOBAL, GLOBAL]);
        assert_eq!(settings.pool(pool).unwrap().description, description);
    }
}
