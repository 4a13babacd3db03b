//! What each kind of value may look like.

use std::time::Duration;

use greenroom_config::{Key, Scope, Warmup};

use crate::support::{Setup, pool, told};

/// The value that a global key resolves to, as text, or the problem.
fn resolved(key: Key, text: &str) -> Result<String, String> {
    let setup = Setup::new().var(&format!("PW_MCP_PROXY_{key}"), text);
    match setup.load() {
        Ok(settings) => {
            let scope = if settings.explain(&Scope::Global, key).value.is_some() {
                Scope::Global
            } else {
                pool("DEFAULT")
            };
            Ok(told(&settings, &scope, key).0)
        }
        Err(problems) => Err(problems.to_string()),
    }
}

#[test]
fn good_values_are_read() {
    for (key, text, shown) in [
        (Key::Headless, "TRUE", "true"),
        (Key::Headless, "1", "true"),
        (Key::Headless, "Yes", "true"),
        (Key::Headless, "on", "true"),
        (Key::Headless, "0", "false"),
        (Key::Headless, "no", "false"),
        (Key::Headless, " off ", "false"),
        (Key::Sandbox, "auto", "auto"),
        (Key::Sandbox, "no", "false"),
        (Key::Timeout, "45000", "45000ms"),
        (Key::Timeout, "45s", "45000ms"),
        (Key::SessionTimeout, "5m", "300s"),
        (Key::SessionTimeout, "500ms", "500ms"),
        (Key::RetentionHours, "24", "24h"),
        (Key::ServerPort, "0", "0"),
        (Key::ServerPort, "65535", "65535"),
        (Key::Browser, "Firefox", "firefox"),
        (Key::RecycleAfter, "off", "off"),
        (Key::RecycleAfter, "100", "100"),
        (Key::MaxAge, "OFF", "off"),
        (Key::MaxAge, "2h", "7200s"),
        (Key::MemoryLimitMb, "512", "512"),
        (Key::InlineMax, "1MiB", "1MiB"),
        (Key::InlineMax, "0", "0"),
        (Key::Viewport, "1280x720", "1280x720"),
        (Key::Args, "--a 'b c'", "--a 'b c'"),
        (Key::AllowedHosts, "a, B:80 ,", "a,b:80"),
        (Key::AllowedOrigins, "https://a", "https://a"),
        (Key::Durability, "full", "full"),
        (Key::ResponseMode, "ref", "ref"),
        (Key::Tools, "compact", "compact"),
    ] {
        assert_eq!(resolved(key, text), Ok(shown.to_owned()), "{key}={text}");
    }
}

#[test]
fn bad_values_are_refused_with_what_is_expected() {
    for (key, text, expected) in [
        (Key::Headless, "maybe", "true or false"),
        (Key::Sandbox, "maybe", "auto, true or false"),
        (Key::Timeout, "0", "a time from 1ms"),
        (Key::Timeout, "-5", "a time from 1ms"),
        (Key::Timeout, "25h", "to 24h"),
        (Key::HealthCheckInterval, "1ms", "a time from 100ms"),
        (Key::RetentionHours, "0", "a time from 1h"),
        (Key::ServerPort, "65536", "from 0 to 65535"),
        (Key::ServerPort, "+80", "from 0 to 65535"),
        (Key::MaxTabs, "0", "from 1 to 1000"),
        (Key::RecycleAfter, "0", "off, or a whole number from 1"),
        (Key::MaxAge, "0", "off, or a time from 1s"),
        (Key::MemoryLimitMb, "1", "off, or a whole number from 16"),
        (Key::MaxStoreMb, "1", "from 16 to"),
        (Key::InlineMax, "65MiB", "at most 67108864 bytes"),
        (
            Key::Browser,
            "opera",
            "one of chromium, chrome, msedge, firefox, webkit",
        ),
        (Key::Viewport, "1280", "such as 1280x720"),
        (Key::Viewport, "0x5", "such as 1280x720"),
        (Key::Args, "'open", "missing closing quote"),
        (Key::UserAgent, "a\nb", "one line"),
        (Key::ServerHost, "http://x", "without scheme or port"),
        (Key::ServerHost, "localhost:80", "the port as SERVER_PORT"),
        (Key::AllowedHosts, "*", "host names"),
        (Key::AllowedHosts, ",", "host names"),
        (Key::AllowedOrigins, "localhost", "origins such as"),
        (Key::ExecutablePath, "chromium", "command -v chromium"),
        (Key::UpstreamCommand, "npx @playwright/mcp", "`npx`"),
        (Key::ProxyServer, "ftp://x", "socks5"),
        (Key::CdpEndpoint, "x:9222", "ws://"),
        (Key::SearchUrl, "https://x/?q=", "{query}"),
        (Key::Warmup, "file:///etc/passwd", "http or https"),
        (Key::Warmup, "example.com", ".json"),
        (Key::AuthTokens, "justatoken", "name:token"),
    ] {
        let problem = resolved(key, text).unwrap_err();
        assert!(problem.contains(expected), "{key}={text}: {problem}");
        assert!(
            problem.starts_with(&format!("PW_MCP_PROXY_{key}: ")),
            "{problem}"
        );
    }
}

#[test]
fn numbers_of_instances_are_bounded() {
    for (count, good) in [("0", false), ("1", true), ("1000", true), ("1001", false)] {
        let setup = Setup::new()
            .env("PW_MCP_PROXY__A_IS_DEFAULT=true")
            .var("PW_MCP_PROXY__A_INSTANCES", count);
        assert_eq!(setup.load().is_ok(), good, "{count}");
    }
}

#[test]
fn a_warm_up_is_a_page_or_a_script() {
    let warmup = |text: &str| {
        let setup = Setup::new().var("PW_MCP_PROXY_WARMUP", text);
        (
            setup.settings().default_pool().instances[0].warmup.clone(),
            setup.work(),
        )
    };
    assert!(
        matches!(warmup("https://example.com/").0, Some(Warmup::Url(url)) if url.expose() == "https://example.com/")
    );
    let (script, work) = warmup("warm/up.json");
    assert_eq!(script, Some(Warmup::Script(work.join("warm/up.json"))));
}

#[test]
fn resolved_values_are_typed() {
    let settings = Setup::new()
        .env("PW_MCP_PROXY_MAX_AGE=2h PW_MCP_PROXY_RECYCLE_AFTER=9 PW_MCP_PROXY_VIEWPORT=800x600")
        .env("PW_MCP_PROXY_SANDBOX=off PW_MCP_PROXY_PROXY_SERVER=socks5://p:1080")
        .settings();
    let instance = &settings.default_pool().instances[0];
    assert_eq!(instance.max_age, Some(Duration::from_secs(7200)));
    assert_eq!(instance.recycle_after, Some(9));
    assert_eq!(instance.memory_limit_mb, None);
    let viewport = instance.viewport.unwrap();
    assert_eq!((viewport.width, viewport.height), (800, 600));
    assert_eq!(instance.sandbox, Some(false));
    assert_eq!(
        instance.proxy_server.as_ref().unwrap().expose(),
        "socks5://p:1080"
    );
}
