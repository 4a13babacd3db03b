//! The start-up errors that users know, word for word, each with the
//! variable that causes it and what to do.

use crate::support::Setup;

#[test]
fn a_pool_without_instances_is_refused() {
    Setup::new()
        .env("PW_MCP_PROXY__SCRAPE_IS_DEFAULT=true")
        .says(&[
            "Pool missing INSTANCES configuration",
            "PW_MCP_PROXY__SCRAPE_IS_DEFAULT",
            "set PW_MCP_PROXY__SCRAPE_INSTANCES",
            "count = N",
        ]);
}

#[test]
fn two_default_pools_are_refused() {
    Setup::new()
        .env("PW_MCP_PROXY__A_INSTANCES=1 PW_MCP_PROXY__A_IS_DEFAULT=true")
        .env("PW_MCP_PROXY__B_INSTANCES=1 PW_MCP_PROXY__B_IS_DEFAULT=true")
        .says(&[
            "Multiple default pools defined",
            "PW_MCP_PROXY__A_IS_DEFAULT",
            "PW_MCP_PROXY__B_IS_DEFAULT",
            "exactly one",
        ]);
}

#[test]
fn no_default_pool_is_refused() {
    Setup::new()
        .env("PW_MCP_PROXY__A_INSTANCES=1 PW_MCP_PROXY__B_INSTANCES=1")
        .env("PW_MCP_PROXY__B_IS_DEFAULT=false")
        .says(&[
            "No default pool defined",
            "A, B",
            "set PW_MCP_PROXY__A_IS_DEFAULT to true",
        ]);
}

#[test]
fn an_override_of_an_instance_that_does_not_exist_is_refused() {
    Setup::new()
        .env("PW_MCP_PROXY__POOL_INSTANCES=3 PW_MCP_PROXY__POOL_IS_DEFAULT=true")
        .env("PW_MCP_PROXY__POOL__5_BROWSER=firefox")
        .says(&[
            "PW_MCP_PROXY__POOL__5_BROWSER: ",
            "Invalid instance ID in override",
            "IDs 0 to 2",
            "increase INSTANCES",
        ]);
}

#[test]
fn an_override_whose_id_is_not_a_number_is_refused() {
    for variable in [
        "PW_MCP_PROXY__POOL__MAIN_BROWSER",
        "PW_MCP_PROXY__POOL__00_BROWSER",
        "PW_MCP_PROXY__POOL___0_BROWSER",
    ] {
        Setup::new()
            .env("PW_MCP_PROXY__POOL_INSTANCES=3 PW_MCP_PROXY__POOL_IS_DEFAULT=true")
            .var(variable, "firefox")
            .says(&[variable, "Invalid instance ID in override", "0, 1, 2"]);
    }
}

#[test]
fn two_instances_with_one_alias_are_refused() {
    Setup::new()
        .env("PW_MCP_PROXY__POOL_INSTANCES=3 PW_MCP_PROXY__POOL_IS_DEFAULT=true")
        .env("PW_MCP_PROXY__POOL__0_ALIAS=main PW_MCP_PROXY__POOL__2_ALIAS=main")
        .says(&[
            "PW_MCP_PROXY__POOL__2_ALIAS: ",
            "Duplicate alias in pool POOL",
            "`main`",
            "PW_MCP_PROXY__POOL__0_ALIAS",
            "alias of its own",
        ]);
}

#[test]
fn aliases_are_case_sensitive_and_may_repeat_in_another_pool() {
    let settings = Setup::new()
        .env("PW_MCP_PROXY__A_INSTANCES=2 PW_MCP_PROXY__A_IS_DEFAULT=true")
        .env("PW_MCP_PROXY__A__0_ALIAS=Debug PW_MCP_PROXY__A__1_ALIAS=debug")
        .env("PW_MCP_PROXY__B_INSTANCES=1 PW_MCP_PROXY__B__0_ALIAS=debug")
        .settings();
    let aliases: Vec<_> = settings.pools[0]
        .instances
        .iter()
        .map(|i| i.alias.clone())
        .collect();
    assert_eq!(
        aliases,
        [Some("Debug".to_owned()), Some("debug".to_owned())]
    );
}

#[test]
fn an_alias_of_digits_is_refused() {
    Setup::new()
        .env("PW_MCP_PROXY__A_INSTANCES=2 PW_MCP_PROXY__A_IS_DEFAULT=true")
        .env("PW_MCP_PROXY__A__0_ALIAS=123")
        .says(&[
            "PW_MCP_PROXY__A__0_ALIAS: ",
            "`123`",
            "all digits",
            "add a letter",
        ]);
}

#[test]
fn instances_cannot_be_set_for_all() {
    Setup::new().env("PW_MCP_PROXY_INSTANCES=3").says(&[
        "PW_MCP_PROXY_INSTANCES: ",
        "INSTANCES defined globally",
        "PW_MCP_PROXY__<POOL>_INSTANCES",
    ]);
}

#[test]
fn keys_at_a_level_that_may_not_hold_them_are_refused_with_the_right_name() {
    for (variable, value, says, remedy) in [
        (
            "PW_MCP_PROXY_IS_DEFAULT",
            "true",
            "IS_DEFAULT defined globally",
            "PW_MCP_PROXY__<POOL>_IS_DEFAULT",
        ),
        (
            "PW_MCP_PROXY_ALIAS",
            "x",
            "ALIAS defined globally",
            "PW_MCP_PROXY__<POOL>__<ID>_ALIAS",
        ),
        (
            "PW_MCP_PROXY_DESCRIPTION",
            "x",
            "DESCRIPTION defined globally",
            "PW_MCP_PROXY__<POOL>_DESCRIPTION",
        ),
        (
            "PW_MCP_PROXY_MIN_IDLE",
            "1",
            "MIN_IDLE defined globally",
            "PW_MCP_PROXY__<POOL>_MIN_IDLE",
        ),
        (
            "PW_MCP_PROXY__P_ALIAS",
            "x",
            "ALIAS defined for a pool",
            "PW_MCP_PROXY__P__<ID>_ALIAS",
        ),
        (
            "PW_MCP_PROXY__P__0_INSTANCES",
            "2",
            "INSTANCES defined for an instance",
            "PW_MCP_PROXY__P_INSTANCES",
        ),
        (
            "PW_MCP_PROXY__P__0_IS_DEFAULT",
            "true",
            "IS_DEFAULT defined for an instance",
            "PW_MCP_PROXY__P_IS_DEFAULT",
        ),
        (
            "PW_MCP_PROXY__P__0_STICKY",
            "call",
            "STICKY defined for an instance",
            "PW_MCP_PROXY__P_STICKY",
        ),
        (
            "PW_MCP_PROXY__P_SERVER_PORT",
            "1",
            "SERVER_PORT defined for a pool",
            "PW_MCP_PROXY_SERVER_PORT",
        ),
        (
            "PW_MCP_PROXY__P__0_LOG_LEVEL",
            "info",
            "LOG_LEVEL defined for an instance",
            "PW_MCP_PROXY_LOG_LEVEL",
        ),
    ] {
        Setup::new()
            .env("PW_MCP_PROXY__P_INSTANCES=1 PW_MCP_PROXY__P_IS_DEFAULT=true")
            .var(variable, value)
            .says(&[&format!("{variable}: "), says, remedy]);
    }
}
