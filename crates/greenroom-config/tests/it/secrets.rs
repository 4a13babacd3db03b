//! Tokens and passwords never leave through a message, a log or a printout.

use crate::support::Setup;

fn secretive() -> Setup {
    Setup::new()
        .var(
            "PW_MCP_PROXY_AUTH_TOKENS",
            "ann:s3cret-token-of-ann,bob:s3cret-token-of-bob",
        )
        .var("PW_MCP_PROXY_PROXY_SERVER", "http://user:s3cret@proxy:3128")
        .var(
            "PW_MCP_PROXY_CDP_ENDPOINT",
            "wss://farm/chrome?token=s3cret",
        )
        .var(
            "PW_MCP_PROXY_ARGS",
            "--proxy-server=http://user:s3cret@proxy:1",
        )
        .var(
            "PW_MCP_PROXY_SEARCH_URL",
            "https://user:s3cret@search/?q={query}",
        )
        .var(
            "PW_MCP_PROXY_WARMUP",
            "https://user:s3cret@page/?key=s3cret",
        )
}

#[test]
fn printouts_show_names_and_hosts_but_no_secrets() {
    let settings = secretive().settings();
    for text in [
        settings.show(),
        settings.show_json(),
        format!("{:?}", settings.server),
    ] {
        assert!(!text.contains("s3cret"), "{text}");
        assert!(text.contains("ann") && text.contains("bob"), "{text}");
    }
    let text = settings.show();
    for shown in [
        "ann:***,bob:***",
        "http://***@proxy:3128",
        "wss://farm/chrome?***",
        "https://***@search/?q={query}",
    ] {
        assert!(text.contains(shown), "{shown} in {text}");
    }
}

#[test]
fn debug_output_hides_tokens_and_addresses() {
    let settings = secretive().settings();
    let instance = &settings.default_pool().instances[0];
    let proxy = format!(
        "{:?} {:?} {:?}",
        instance.proxy_server, instance.cdp_endpoint, instance.warmup
    );
    assert!(!proxy.contains("s3cret"), "{proxy}");
    assert_eq!(
        settings.server.auth_tokens[0].token.expose(),
        "s3cret-token-of-ann"
    );
}

#[test]
fn messages_about_secrets_do_not_repeat_them() {
    for (key, text) in [
        ("AUTH_TOKENS", "s3cret"),
        ("AUTH_TOKENS", "ann:s3cret,ann:s3cret"),
        ("AUTH_TOKENS", "ann:s3 s3cret"),
        ("PROXY_SERVER", "ftp://user:s3cret@proxy"),
        ("CDP_ENDPOINT", "ftp://farm?token=s3cret"),
        ("ARGS", "--password='s3cret"),
        ("SEARCH_URL", "https://user:s3cret@search/"),
        ("WARMUP", "ftp://user:s3cret@page/"),
    ] {
        let message = Setup::new()
            .var(&format!("PW_MCP_PROXY_{key}"), text)
            .message();
        assert!(!message.contains("s3cret"), "{message}");
        let flag = Setup::new().set(&format!("{key}={text}")).message();
        assert!(!flag.contains("s3cret"), "{flag}");
    }
    let colon = Setup::new().set("AUTH_TOKENS:ann:s3cret").message();
    assert!(
        colon.contains("`AUTH_TOKENS`") && !colon.contains("s3cret"),
        "{colon}"
    );
    let toml = "auth_tokens = [\"s3cret\"]\nproxy_server = 5\nauth_tokens = \"s3cret\n";
    let message = Setup::new().toml(toml).message();
    assert!(!message.contains("s3cret"), "{message}");
}

#[test]
fn clashes_mask_what_they_name() {
    let message = Setup::new()
        .env(
            "PW_MCP_PROXY_CDP_ENDPOINT=wss://u:s3cret@farm?t=s3cret PW_MCP_PROXY_ENGINE=playwright",
        )
        .message();
    assert!(
        message.contains("CDP_ENDPOINT=wss://***@farm?***"),
        "{message}"
    );
}
