//! What holds when nothing is configured.

use std::time::Duration;

use greenroom_config::{Engine, InstanceId, Key, Process, Sticky};

use crate::support::{Setup, pool, told};

#[test]
fn with_nothing_configured_there_is_one_elastic_isolated_pool() {
    let setup = Setup::new();
    let settings = setup.settings();
    let pool = settings.default_pool();
    assert_eq!(settings.pools.len(), 1);
    assert_eq!(pool.name.as_str(), "DEFAULT");
    assert_eq!(pool.instances.len(), 2);
    assert_eq!((pool.min_idle, pool.max_instances), (2, 16));
    assert_eq!(pool.sticky, Sticky::Connection);
    for instance in &pool.instances {
        assert!(instance.isolated && instance.headless);
        assert_eq!(instance.engine(), Engine::Native);
        assert_eq!(instance.process(), Process::Shared);
        assert_eq!(instance.profile_dir, None);
    }
    assert!(settings.notices.is_empty(), "{:?}", settings.notices);
}

#[test]
fn the_server_has_the_documented_defaults() {
    let setup = Setup::new();
    let server = setup.settings().server;
    let data = setup.home().join(".local/share/greenroom");
    assert_eq!((server.host.as_str(), server.port), ("localhost", 34501));
    assert_eq!(server.database_path, data.join("greenroom.db"));
    assert_eq!(server.data_dir, data);
    assert_eq!(server.shutdown_timeout, Duration::from_secs(5));
    assert_eq!(server.inline_max, 16 * 1024);
    assert_eq!(server.retention, Duration::from_secs(168 * 3600));
    assert_eq!(server.max_store_mb, 2048);
    assert_eq!(server.allowed_hosts, ["localhost", "127.0.0.1", "[::1]"]);
    assert!(
        server
            .allowed_origins
            .contains(&"http://localhost".to_owned())
    );
    assert!(server.auth_tokens.is_empty());
    assert!(server.search_url.expose().contains("{query}"));
}

#[test]
fn global_keys_apply_to_the_built_in_pool() {
    let settings = Setup::new()
        .env("PW_MCP_PROXY_ISOLATED=false PW_MCP_PROXY_BROWSER=firefox")
        .settings();
    let first = &settings.default_pool().instances[0];
    assert!(!first.isolated);
    assert_eq!(first.engine(), Engine::Playwright);
    assert_eq!(first.process(), Process::Dedicated);
    let (value, origin) = told(&settings, &pool("DEFAULT"), Key::MaxInstances);
    assert_eq!((value.as_str(), origin.as_str()), ("16", "built-in pool"));
}

#[test]
fn a_declared_pool_replaces_the_built_in_one_and_has_plain_defaults() {
    let settings = Setup::new()
        .env("PW_MCP_PROXY__A_INSTANCES=3 PW_MCP_PROXY__A_IS_DEFAULT=true")
        .settings();
    let pool = settings.default_pool();
    assert_eq!(settings.pools.len(), 1);
    assert!(!pool.instances[0].isolated);
    assert_eq!((pool.min_idle, pool.max_instances), (0, 3));
    assert_eq!(pool.lease_timeout, Duration::from_secs(30));
    assert_eq!(pool.min_hold, Duration::from_secs(10));
    assert_eq!((pool.max_queue, pool.contexts_per_browser), (256, 16));
}

#[test]
fn an_instance_added_later_is_as_the_pool_says_and_has_a_profile_of_its_own() {
    let setup = Setup::new()
        .env("PW_MCP_PROXY__A_INSTANCES=2 PW_MCP_PROXY__A_IS_DEFAULT=true")
        .env("PW_MCP_PROXY__A_MAX_INSTANCES=9 PW_MCP_PROXY__A_BROWSER=chrome")
        .env("PW_MCP_PROXY__A__1_BROWSER=msedge PW_MCP_PROXY__A__1_ALIAS=edge");
    let settings = setup.settings();
    let pool = settings.default_pool();
    let added = pool.instance(InstanceId(7));
    assert_eq!(
        (added.id, added.alias, added.browser.as_str()),
        (InstanceId(7), None, "chrome")
    );
    let profiles = setup.home().join(".local/share/greenroom/profiles/A");
    assert_eq!(added.profile_dir, Some(profiles.join("7")));
    assert_eq!(pool.instances[1].profile_dir, Some(profiles.join("1")));
    assert_eq!(pool.instance(InstanceId(1)), pool.instances[1]);
}

#[test]
fn without_a_home_the_data_directory_must_be_set() {
    let setup = Setup::new().without_home();
    setup.says(&["HOME", "set PW_MCP_PROXY_DATA_DIR"]);
    let settings = setup.env("PW_MCP_PROXY_DATA_DIR=/data").settings();
    assert_eq!(
        settings.server.database_path,
        std::path::Path::new("/data/greenroom.db")
    );
}
