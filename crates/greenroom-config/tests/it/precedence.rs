//! Which value holds: the level first, then the source.

use greenroom_config::{Key, Level, Scope};

use crate::support::{Setup, instance, pool, told};

const TOML: &str = "timeout = 1\n[pools.A]\nis_default = true\ninstances = 2\n";

#[test]
fn later_sources_win_over_earlier_ones() {
    let name = "PW_MCP_PROXY_TIMEOUT";
    let file = || Setup::new().toml(TOML);
    let dotenv = || file().dotenv("PW_MCP_PROXY_TIMEOUT=2\n");
    let environment = || dotenv().var(name, "3");
    let flag = || environment().set("TIMEOUT=4");
    for (setup, value, origin) in [
        (file(), "1ms", "greenroom.toml:1:1"),
        (dotenv(), "2ms", ".env:1 (PW_MCP_PROXY_TIMEOUT)"),
        (environment(), "3ms", "environment PW_MCP_PROXY_TIMEOUT"),
        (flag(), "4ms", "flag --set TIMEOUT"),
    ] {
        let (found, from) = told(&setup.settings(), &instance("A", 1), Key::Timeout);
        assert_eq!(found, value);
        assert!(from.ends_with(origin), "{from}");
    }
}

#[test]
fn the_level_comes_before_the_source() {
    let settings = Setup::new()
        .toml(
            "[pools.A]\nis_default = true\n[pools.A.instances]\ncount = 3\n\
             [pools.A.instances.0]\ntimeout = 10\n",
        )
        .dotenv("PW_MCP_PROXY__A_TIMEOUT=20\n")
        .env("PW_MCP_PROXY_TIMEOUT=30")
        .set("TIMEOUT=40")
        .settings();
    let level = |scope: &Scope| settings.explain(scope, Key::Timeout).level;
    assert_eq!(told(&settings, &instance("A", 0), Key::Timeout).0, "10ms");
    assert_eq!(told(&settings, &instance("A", 1), Key::Timeout).0, "20ms");
    assert_eq!(told(&settings, &Scope::Global, Key::Timeout).0, "40ms");
    assert_eq!(level(&instance("A", 0)), Some(Level::Instance));
    assert_eq!(level(&instance("A", 1)), Some(Level::Pool));
    assert_eq!(level(&Scope::Global), Some(Level::Global));
}

#[test]
fn flags_of_their_own_win_over_set_and_the_last_set_wins() {
    let mut setup = Setup::new()
        .set("SERVER_PORT=1")
        .set("LOG_LEVEL=debug")
        .set("LOG_LEVEL=warn");
    setup.flags.port = Some("2".to_owned());
    setup.flags.host = Some("127.0.0.1".to_owned());
    setup.flags.data_dir = Some("data".to_owned());
    let settings = setup.settings();
    assert_eq!(settings.server.port, 2);
    assert_eq!(settings.server.host, "127.0.0.1");
    assert_eq!(settings.server.data_dir, setup.work().join("data"));
    assert_eq!(settings.server.log_level.as_str(), "warn");
    assert_eq!(
        told(&settings, &Scope::Global, Key::ServerPort).1,
        "flag --port"
    );
}

#[test]
fn the_file_named_with_config_wins_over_those_that_are_found() {
    let mut setup = Setup::new()
        .toml("timeout = 1\n")
        .file("sub/own.toml", "timeout = 2\n")
        .file("../home/.config/greenroom/greenroom.toml", "timeout = 3\n");
    let timeout = |setup: &Setup| told(&setup.settings(), &pool("DEFAULT"), Key::Timeout).0;
    assert_eq!(timeout(&setup), "1ms");
    setup.flags.config = Some("sub/own.toml".into());
    assert_eq!(timeout(&setup), "2ms");
    setup.flags.config = None;
    std::fs::remove_file(setup.work().join("greenroom.toml")).unwrap();
    assert_eq!(timeout(&setup), "3ms");
    let elsewhere = setup.var("XDG_CONFIG_HOME", "/nowhere");
    assert_eq!(timeout(&elsewhere), "30000ms");
}

#[test]
fn relative_paths_are_relative_to_whoever_names_them() {
    let mut setup = Setup::new()
        .file(
            "sub/own.toml",
            "storage_state = \"state.json\"\ndata_dir = \"../data\"\n",
        )
        .env("PW_MCP_PROXY_DATABASE_PATH=db/x.db PW_MCP_PROXY_USER_DATA_DIR=~/profiles")
        .env("PW_MCP_PROXY_ISOLATED=false");
    setup.flags.config = Some("sub/own.toml".into());
    let settings = setup.settings();
    let first = &settings.pools[0].instances[0];
    assert_eq!(
        first.storage_state,
        Some(setup.work().join("sub/state.json"))
    );
    assert_eq!(
        first.profile_dir,
        Some(setup.home().join("profiles/DEFAULT/0"))
    );
    assert_eq!(settings.server.data_dir, setup.work().join("data"));
    assert_eq!(settings.server.database_path, setup.work().join("db/x.db"));
}

#[test]
fn pools_are_ordered_by_name() {
    let settings = Setup::new()
        .env("PW_MCP_PROXY__C_INSTANCES=1 PW_MCP_PROXY__A_INSTANCES=1")
        .toml("[pools.B]\ninstances = 1\nis_default = true\n")
        .settings();
    let names: Vec<&str> = settings.pool_names().map(|name| name.as_str()).collect();
    assert_eq!(names, ["A", "B", "C"]);
    assert_eq!(settings.default_pool().name.as_str(), "B");
}
