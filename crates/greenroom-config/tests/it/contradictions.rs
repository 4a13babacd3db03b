//! Settings that cannot hold together are refused with both of them named;
//! those that can are not.

use crate::support::Setup;

fn pool() -> Setup {
    Setup::new().env("PW_MCP_PROXY__A_INSTANCES=2 PW_MCP_PROXY__A_IS_DEFAULT=true")
}

/// Asserts one contradiction of the settings, told with both origins.
#[track_caller]
fn refused(setup: &Setup, parts: &[&str]) {
    setup.says(parts);
    setup.says(&["cannot hold together"]);
}

#[test]
fn numbers_of_instances_must_fit_each_other() {
    let low = pool().env("PW_MCP_PROXY__A_MAX_INSTANCES=1");
    refused(
        &low,
        &[
            "MAX_INSTANCES=1 (environment PW_MCP_PROXY__A_MAX_INSTANCES)",
            "INSTANCES=2 (environment PW_MCP_PROXY__A_INSTANCES)",
        ],
    );
    let idle = pool().env("PW_MCP_PROXY__A_MIN_IDLE=3");
    refused(
        &idle,
        &[
            "PW_MCP_PROXY__A_MIN_IDLE: pool A: MIN_IDLE=3",
            "MAX_INSTANCES=2 (default)",
        ],
    );
    pool()
        .env("PW_MCP_PROXY__A_MIN_IDLE=3 PW_MCP_PROXY__A_MAX_INSTANCES=3")
        .settings();
}

#[test]
fn an_idle_session_must_be_parkable_while_someone_waits() {
    let hold = pool().env("PW_MCP_PROXY__A_MIN_HOLD=31");
    refused(&hold, &["MIN_HOLD=31s", "LEASE_TIMEOUT=30000ms (default)"]);
    pool()
        .env("PW_MCP_PROXY__A_MIN_HOLD=31 PW_MCP_PROXY__A_STICKY=call")
        .settings();
    pool().env("PW_MCP_PROXY__A_LEASE_TIMEOUT=500").settings();
}

#[test]
fn a_session_is_parked_before_it_is_closed() {
    let ttl = pool().env("PW_MCP_PROXY_SESSION_TTL=60");
    refused(
        &ttl,
        &["SESSION_TTL=60s", "SESSION_TIMEOUT=1800s (default)"],
    );
    let idle = pool().env("PW_MCP_PROXY__A_SESSION_TIMEOUT=48h");
    refused(
        &idle,
        &[
            "PW_MCP_PROXY__A_SESSION_TIMEOUT: ",
            "SESSION_TTL=86400s (default)",
        ],
    );
}

#[test]
fn a_probe_ends_before_the_next_begins() {
    let probe = pool().env("PW_MCP_PROXY_HEALTH_CHECK_TIMEOUT=21");
    refused(
        &probe,
        &["HEALTH_CHECK_TIMEOUT=21s", "HEALTH_CHECK_INTERVAL=20s"],
    );
    pool()
        .env("PW_MCP_PROXY_HEALTH_CHECK_INTERVAL=1")
        .settings();
}

#[test]
fn the_native_engine_drives_chromium_kinds_only() {
    for browser in ["firefox", "webkit"] {
        let setup = pool()
            .env("PW_MCP_PROXY_ENGINE=native")
            .var("PW_MCP_PROXY__A_BROWSER", browser);
        refused(
            &setup,
            &[
                "ENGINE=native (environment PW_MCP_PROXY_ENGINE)",
                browser,
                "pool A",
            ],
        );
    }
    for browser in ["chromium", "chrome", "msedge"] {
        pool()
            .env("PW_MCP_PROXY_ENGINE=native")
            .var("PW_MCP_PROXY__A_BROWSER", browser)
            .settings();
    }
    let windows = pool().env("PW_MCP_PROXY_ENGINE=native PW_MCP_PROXY_WSL_WINDOWS=true");
    refused(&windows, &["ENGINE=native", "WSL_WINDOWS=true"]);
}

#[test]
fn a_clash_of_one_instance_names_that_instance() {
    let setup = pool().env("PW_MCP_PROXY_ENGINE=native PW_MCP_PROXY__A__1_BROWSER=firefox");
    refused(
        &setup,
        &["pool A, instance 1: ", "PW_MCP_PROXY__A__1_BROWSER"],
    );
}

#[test]
fn a_pool_setting_that_every_instance_overrides_clashes_with_nothing() {
    pool()
        .env("PW_MCP_PROXY_ENGINE=native PW_MCP_PROXY__A_BROWSER=firefox")
        .env("PW_MCP_PROXY__A__0_BROWSER=chrome PW_MCP_PROXY__A__1_BROWSER=chromium")
        .settings();
}

#[test]
fn a_shared_process_needs_the_native_engine_and_isolation() {
    let shared = || pool().env("PW_MCP_PROXY__A_PROCESS=shared");
    refused(&shared(), &["PROCESS=shared", "ISOLATED=false (default)"]);
    let firefox = shared().env("PW_MCP_PROXY_ISOLATED=true PW_MCP_PROXY_BROWSER=firefox");
    refused(&firefox, &["PROCESS=shared", "BROWSER=firefox"]);
    let upstream = shared().env("PW_MCP_PROXY_ISOLATED=true PW_MCP_PROXY_ENGINE=playwright");
    refused(&upstream, &["PROCESS=shared", "ENGINE=playwright"]);
    shared().env("PW_MCP_PROXY_ISOLATED=true").settings();
}

#[test]
fn a_browser_that_runs_elsewhere_needs_the_native_engine_and_no_program() {
    let remote = || pool().env("PW_MCP_PROXY__A_CDP_ENDPOINT=ws://farm:9222/x");
    let upstream = remote().env("PW_MCP_PROXY__A_ENGINE=playwright");
    refused(&upstream, &["CDP_ENDPOINT=", "ENGINE=playwright"]);
    let firefox = remote().env("PW_MCP_PROXY_BROWSER=firefox");
    refused(&firefox, &["CDP_ENDPOINT=", "BROWSER=firefox"]);
    let program = remote().env("PW_MCP_PROXY__A__0_EXECUTABLE_PATH=/usr/bin/chromium");
    refused(
        &program,
        &[
            "instance 0",
            "EXECUTABLE_PATH=/usr/bin/chromium",
            "CDP_ENDPOINT=",
        ],
    );
    remote()
        .env("PW_MCP_PROXY_EXECUTABLE_PATH=/usr/bin/chromium")
        .settings();
}

#[test]
fn an_endpoint_for_all_does_not_apply_to_a_pool_of_another_browser() {
    pool()
        .env("PW_MCP_PROXY_CDP_ENDPOINT=ws://farm:9222/x")
        .env("PW_MCP_PROXY__F_INSTANCES=1 PW_MCP_PROXY__F_BROWSER=firefox")
        .settings();
}

#[test]
fn a_profile_in_memory_needs_no_directory() {
    let own = pool().env("PW_MCP_PROXY_ISOLATED=true PW_MCP_PROXY__A_USER_DATA_DIR=/p");
    refused(
        &own,
        &[
            "USER_DATA_DIR=/p",
            "ISOLATED=true",
            "PW_MCP_PROXY__A_ISOLATED to false",
        ],
    );
    let unused = pool().env("PW_MCP_PROXY_ISOLATED=true PW_MCP_PROXY_USER_DATA_DIR=/p");
    refused(&unused, &["USER_DATA_DIR=/p", "ISOLATED=true"]);
    let built_in = Setup::new().env("PW_MCP_PROXY_USER_DATA_DIR=/p");
    refused(
        &built_in,
        &["USER_DATA_DIR=/p", "ISOLATED=true (built-in pool)"],
    );
}

#[test]
fn a_directory_for_all_is_for_those_that_are_not_isolated() {
    let settings = pool()
        .env("PW_MCP_PROXY_USER_DATA_DIR=/p PW_MCP_PROXY__A__0_ISOLATED=true")
        .settings();
    let directories: Vec<_> = settings.pools[0]
        .instances
        .iter()
        .map(|i| i.profile_dir.clone())
        .collect();
    assert_eq!(directories, [None, Some("/p/A/1".into())]);
}

#[test]
fn no_two_instances_share_a_profile_directory() {
    pool()
        .env("PW_MCP_PROXY__A__0_USER_DATA_DIR=/p/x PW_MCP_PROXY__A__1_USER_DATA_DIR=/p/y/../x")
        .says(&[
            "PW_MCP_PROXY__A__1_USER_DATA_DIR: ",
            "pool A, instance 0",
            "pool A, instance 1",
            "/p/x",
            "of its own",
        ]);
    pool()
        .env("PW_MCP_PROXY__B_INSTANCES=1 PW_MCP_PROXY_USER_DATA_DIR=/p")
        .env("PW_MCP_PROXY__A__0_USER_DATA_DIR=/p/B/0")
        .says(&["pool A, instance 0", "pool B, instance 0", "/p/B/0"]);
}

#[test]
fn the_same_parent_for_two_pools_gives_each_instance_its_own_directory() {
    let settings = pool()
        .env("PW_MCP_PROXY__B_INSTANCES=1 PW_MCP_PROXY__A_USER_DATA_DIR=/p")
        .env("PW_MCP_PROXY__B_USER_DATA_DIR=/p")
        .settings();
    let first = |name| {
        settings.pool(name).unwrap().instances[0]
            .profile_dir
            .clone()
    };
    assert_eq!(first("A"), Some("/p/A/0".into()));
    assert_eq!(first("B"), Some("/p/B/0".into()));
}

#[test]
fn listening_for_other_machines_needs_tokens() {
    for host in ["0.0.0.0", "::", "192.168.1.2", "example.com"] {
        let setup = Setup::new().var("PW_MCP_PROXY_SERVER_HOST", host);
        setup.says(&[
            "PW_MCP_PROXY_SERVER_HOST: ",
            host,
            "PW_MCP_PROXY_AUTH_TOKENS=name:token",
        ]);
        setup
            .env("PW_MCP_PROXY_AUTH_TOKENS=ann:0123456789abcdef")
            .settings();
    }
    for host in ["localhost", "127.0.0.1", "[::1]", "::1"] {
        Setup::new()
            .var("PW_MCP_PROXY_SERVER_HOST", host)
            .settings();
    }
}

#[test]
fn names_and_tokens_occur_once() {
    for tokens in ["ann:one,ann:two", "ann:same,bob:same"] {
        let setup = Setup::new().var("PW_MCP_PROXY_AUTH_TOKENS", tokens);
        setup.says(&["PW_MCP_PROXY_AUTH_TOKENS: AUTH_TOKENS ", "`ann`"]);
    }
}
