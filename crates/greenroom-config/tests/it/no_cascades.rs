//! One mistake is told once: no follow-up mistakes about the same cause.

use greenroom_config::Fault;

use crate::support::Setup;

fn pool() -> Setup {
    Setup::new().env("PW_MCP_PROXY__A_IS_DEFAULT=true")
}

#[test]
fn an_unreadable_number_of_instances_is_not_also_missing() {
    let setup = pool().env("PW_MCP_PROXY__A_INSTANCES=many PW_MCP_PROXY__A__3_HEADLESS=true");
    setup.says(&[
        "PW_MCP_PROXY__A_INSTANCES: ",
        "a whole number from 1 to 1000",
    ]);
}

#[test]
fn a_misspelt_number_of_instances_is_not_also_missing() {
    pool()
        .env("PW_MCP_PROXY__A_INSTANCE=3")
        .says(&["did you mean PW_MCP_PROXY__A_INSTANCES?"]);
    Setup::new()
        .toml("[pools.A]\nis_default = true\ninstanses = 3\n")
        .says(&["greenroom.toml:3:1", "did you mean instances?"]);
}

#[test]
fn a_default_in_a_wrong_place_is_not_also_missing() {
    for variable in [
        "PW_MCP_PROXY_IS_DEFAULT",
        "PW_MCP_PROXY__A_IS_DEFALT",
        "PW_MCP_PROXY__A__0_IS_DEFAULT",
    ] {
        let setup = Setup::new()
            .env("PW_MCP_PROXY__A_INSTANCES=1")
            .var(variable, "true");
        setup.says(&[variable]);
    }
}

#[test]
fn an_unreadable_default_is_not_also_missing() {
    Setup::new()
        .env("PW_MCP_PROXY__A_INSTANCES=1 PW_MCP_PROXY__A_IS_DEFAULT=perhaps")
        .says(&["PW_MCP_PROXY__A_IS_DEFAULT: ", "true or false"]);
}

#[test]
fn a_file_that_cannot_be_parsed_makes_nothing_missing() {
    Setup::new()
        .toml("[pools.A]\ninstances = \n")
        .env("PW_MCP_PROXY__A_IS_DEFAULT=true PW_MCP_PROXY__B_HEADLESS=true")
        .says(&["greenroom.toml:2:13", "TOML is not valid"]);
}

#[test]
fn unreadable_tokens_are_not_also_absent() {
    Setup::new()
        .env("PW_MCP_PROXY_SERVER_HOST=0.0.0.0 PW_MCP_PROXY_AUTH_TOKENS=nameless")
        .says(&["PW_MCP_PROXY_AUTH_TOKENS: "]);
}

#[test]
fn an_unreadable_browser_clashes_with_nothing() {
    Setup::new()
        .env("PW_MCP_PROXY_BROWSER=netscape PW_MCP_PROXY_ENGINE=native")
        .says(&["PW_MCP_PROXY_BROWSER: "]);
}

#[test]
fn a_clash_of_a_pool_is_told_once_and_not_for_each_instance() {
    let faults = pool()
        .env("PW_MCP_PROXY__A_INSTANCES=50 PW_MCP_PROXY__A__3_HEADLESS=false")
        .env("PW_MCP_PROXY__A_ENGINE=native PW_MCP_PROXY__A_BROWSER=firefox")
        .faults();
    assert!(matches!(&faults[..], [Fault::Contradiction { subject, .. }] if subject == "pool A"));
}

#[test]
fn a_mention_of_an_undeclared_pool_suggests_the_declared_one() {
    pool()
        .env("PW_MCP_PROXY__SCRAPE_INSTANCES=1 PW_MCP_PROXY__A_INSTANCES=1")
        .env("PW_MCP_PROXY__SCRAP_HEADLESS=true")
        .says(&[
            "PW_MCP_PROXY__SCRAP_HEADLESS: ",
            "unless you meant pool SCRAPE",
        ]);
}
