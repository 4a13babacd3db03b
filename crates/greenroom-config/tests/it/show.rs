//! `config show`: every effective value with where it came from.

use greenroom_config::{Levels, table};

use crate::support::Setup;

fn setup() -> Setup {
    Setup::new()
        .toml("timeout = 1000\n[pools.A]\nis_default = true\n[pools.A.instances]\ncount = 2\n[pools.A.instances.1]\nalias = \"one\"\n")
        .env("PW_MCP_PROXY__A_BROWSER=chrome PW_MCP_PROXY__A_DESCRIPTION=x")
        .set("SERVER_PORT=1234")
}

#[test]
fn the_text_shows_every_key_with_its_origin() {
    let setup = setup();
    let text = setup
        .settings()
        .show()
        .replace(setup.work().to_str().unwrap(), "~w");
    for row in table() {
        assert!(text.contains(row.name), "{} in {text}", row.name);
    }
    let lines: Vec<String> = text
        .lines()
        .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    for line in [
        "SERVER_PORT 1234 flag --set SERVER_PORT",
        "SERVER_HOST localhost default",
        "pool A (default)",
        "INSTANCES 2 ~w/greenroom.toml:5:1",
        "MAX_INSTANCES 2 default",
        "DESCRIPTION \"x\" environment PW_MCP_PROXY__A_DESCRIPTION",
        "TIMEOUT 1000ms ~w/greenroom.toml:1:1",
        "BROWSER chrome environment PW_MCP_PROXY__A_BROWSER",
        "EXECUTABLE_PATH (found) default",
        "instance 0: as the pool",
        "instance 1",
        "ALIAS one ~w/greenroom.toml:7:1",
    ] {
        assert!(lines.iter().any(|l| l == line), "`{line}` in {text}");
    }
}

#[test]
fn the_json_has_every_key_of_server_pools_and_instances() {
    let json: serde_json::Value = serde_json::from_str(&setup().settings().show_json()).unwrap();
    let pool = &json["pools"][0];
    let instance = &pool["instances"][1];
    for row in table() {
        let place = match row.levels {
            Levels::Global => &json["server"],
            Levels::Pool => &pool["settings"],
            Levels::Instance | Levels::All => &instance["settings"],
        };
        assert!(place[row.name]["origin"].is_string(), "{}", row.name);
    }
    assert_eq!(pool["name"], "A");
    assert_eq!(instance["id"], "1");
    assert_eq!(instance["settings"]["ALIAS"]["value"], "one");
    assert_eq!(instance["settings"]["ALIAS"]["level"], "instance");
    assert_eq!(instance["settings"]["BROWSER"]["level"], "pool");
    assert_eq!(instance["settings"]["TIMEOUT"]["value"], "1000ms");
    assert_eq!(instance["settings"]["TIMEOUT"]["level"], "global");
    assert_eq!(instance["settings"]["HEADLESS"]["value"], true);
    assert_eq!(
        instance["settings"]["HEADLESS"]["level"],
        serde_json::Value::Null
    );
    assert_eq!(json["server"]["SERVER_PORT"]["value"], 1234);
}
