//! Every mistake is told at once, each with its own place.

use crate::support::Setup;

#[test]
fn five_mistakes_in_five_places_give_five_messages() {
    let messages = Setup::new()
        .toml("timeout = true\n\n[pools.A]\ninstances = 2\nis_default = true\ncolour = \"red\"\n")
        .dotenv("# ours\nPW_MCP_PROXY_HEADLESS=maybe\n")
        .env("PW_MCP_PROXY__A_BROWSER=chromum")
        .set("A.7.TIMEOUT=5")
        .messages();
    let places = [
        "~w/greenroom.toml:1:1: ",
        "~w/greenroom.toml:6:1: ",
        "~w/.env:2 (PW_MCP_PROXY_HEADLESS): ",
        "PW_MCP_PROXY__A_BROWSER: ",
        "--set A.7.TIMEOUT: ",
    ];
    assert_eq!(messages.len(), places.len(), "{messages:#?}");
    for (message, place) in messages.iter().zip(places) {
        assert!(message.starts_with(place), "{place} in {message}");
    }
}

#[test]
fn five_mistakes_in_the_environment_give_five_messages() {
    let messages = Setup::new()
        .env("PW_MCP_PROXY_INSTANCES=3 PW_MCP_PROXY_HEADLES=true PW_MCP_PROXY_SERVER_PORT=99999")
        .env("PLAYWRIGHT_BROWSER=firefox PW_MCP_PROXY_TIMEOUT=soon")
        .messages();
    assert_eq!(messages.len(), 5, "{messages:#?}");
    for variable in [
        "PW_MCP_PROXY_INSTANCES: ",
        "PW_MCP_PROXY_HEADLES: ",
        "PW_MCP_PROXY_SERVER_PORT: ",
        "PLAYWRIGHT_BROWSER: ",
        "PW_MCP_PROXY_TIMEOUT: ",
    ] {
        let count = messages.iter().filter(|m| m.starts_with(variable)).count();
        assert_eq!(count, 1, "{variable} in {messages:#?}");
    }
}

#[test]
fn problems_are_printed_one_per_line() {
    let problems = Setup::new()
        .env("PW_MCP_PROXY_TIMEOUT=0 PW_MCP_PROXY_MAX_TABS=0")
        .load()
        .unwrap_err();
    assert_eq!(problems.len(), 2);
    assert_eq!(problems.to_string().lines().count(), 2);
}

#[test]
fn unknown_keys_come_with_the_nearest_known_one() {
    for (variable, suggestion) in [
        (
            "PW_MCP_PROXY_HEADLES",
            "did you mean PW_MCP_PROXY_HEADLESS?",
        ),
        ("PW_MCP_PROXY_BROWSR", "did you mean PW_MCP_PROXY_BROWSER?"),
        (
            "PW_MCP_PROXY__P_HEADLES",
            "did you mean PW_MCP_PROXY__P_HEADLESS?",
        ),
        (
            "PW_MCP_PROXY__MY_POOL_USER_AGNET",
            "did you mean PW_MCP_PROXY__MY_POOL_USER_AGENT?",
        ),
        (
            "PW_MCP_PROXY__P__0_TIMOUT",
            "did you mean PW_MCP_PROXY__P__0_TIMEOUT?",
        ),
        (
            "PW_MCP_PROXY_P_HEADLESS",
            "did you mean PW_MCP_PROXY__P_HEADLESS?",
        ),
        (
            "PLAYWRIGHT_PROXY_SERVER_PROT",
            "did you mean PLAYWRIGHT_PROXY_SERVER_PORT?",
        ),
        (
            "PW_MCP_PROXY_COLOUR",
            "`greenroom config reference` lists every key",
        ),
        (
            "PW_MCP_PROXY__P__0",
            "`greenroom config reference` lists every key",
        ),
        (
            "PW_MCP_PROXY__",
            "`greenroom config reference` lists every key",
        ),
    ] {
        Setup::new()
            .env("PW_MCP_PROXY__P_INSTANCES=1 PW_MCP_PROXY__P_IS_DEFAULT=true")
            .var(variable, "1")
            .says(&[&format!("{variable}: "), "unknown key", suggestion]);
    }
}

#[test]
fn pool_names_against_the_rules_are_refused_with_a_better_one() {
    for (variable, says) in [
        ("PW_MCP_PROXY__scrape_HEADLESS", "write SCRAPE"),
        ("PW_MCP_PROXY__my-pool_HEADLESS", "write MY_POOL"),
        ("PW_MCP_PROXY__a__0_HEADLESS", "write A"),
        ("PW_MCP_PROXY____0_HEADLESS", "single underscores"),
    ] {
        Setup::new()
            .var(variable, "1")
            .says(&[variable, "not a name for a pool", says]);
    }
}

#[test]
fn flags_are_checked_like_everything_else() {
    let mut setup = Setup::new()
        .set("HEADLESS")
        .set("A.B.C.D=1")
        .set("COLOUR=red");
    setup.flags.port = Some("many".to_owned());
    setup.flags.log_level = Some("loud".to_owned());
    let messages = setup.messages();
    assert_eq!(messages.len(), 5, "{messages:#?}");
    for place in [
        "--set: `HEADLESS`",
        "--set A.B.C.D: ",
        "--set COLOUR: ",
        "--port: ",
        "--log-level: ",
    ] {
        assert!(
            messages.iter().any(|m| m.starts_with(place)),
            "{place} in {messages:#?}"
        );
    }
}

#[test]
fn a_variable_that_is_not_unicode_is_named() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    let bad = OsString::from_vec(vec![b'/', 0xff]);
    let setup = Setup::new();
    let environment = greenroom_config::Environment::new(
        setup.work(),
        [
            ("HOME", setup.home().into_os_string()),
            ("PW_MCP_PROXY_DATA_DIR", bad.clone()),
            ("SOMETHING_ELSE", bad),
        ],
    );
    let flags = greenroom_config::Flags::default();
    let problems = greenroom_config::load(&greenroom_config::Inputs { environment, flags });
    let text = problems.unwrap_err().to_string();
    assert_eq!(
        text,
        "PW_MCP_PROXY_DATA_DIR: the value is not UTF-8; write it as UTF-8"
    );
}
