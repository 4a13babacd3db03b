//! The TOML file: the same keys, with positions.

use greenroom_config::Key;

use crate::support::{Setup, instance, told};

#[test]
fn a_pool_without_overrides_says_instances() {
    let settings = Setup::new()
        .toml("[pools.A]\ninstances = 3\nis_default = true\n")
        .settings();
    assert_eq!(settings.pools[0].instances.len(), 3);
}

#[test]
fn a_pool_with_overrides_says_count() {
    let settings = Setup::new()
        .toml("[pools.A]\nis_default = true\n\n[pools.A.instances]\ncount = 3\n\n[pools.A.instances.1]\nalias = \"x\"\n")
        .settings();
    assert_eq!(settings.pools[0].instances.len(), 3);
    let (value, origin) = told(&settings, &instance("A", 1), Key::Alias);
    assert_eq!(value, "x");
    assert!(origin.ends_with("greenroom.toml:8:1"), "{origin}");
}

#[test]
fn the_count_may_come_from_another_source() {
    let settings = Setup::new()
        .toml("[pools.A]\nis_default = true\n[pools.A.instances.1]\nheadless = false\n")
        .env("PW_MCP_PROXY__A_INSTANCES=2")
        .settings();
    let headless: Vec<bool> = settings.pools[0]
        .instances
        .iter()
        .map(|i| i.headless)
        .collect();
    assert_eq!(headless, [true, false]);
}

#[test]
fn overrides_without_a_count_are_told_to_write_one() {
    Setup::new()
        .toml("[pools.A]\nis_default = true\n[pools.A.instances.1]\nheadless = false\n")
        .says(&[
            "greenroom.toml:1:8",
            "Pool missing INSTANCES configuration",
            "`count = N` under [pools.A.instances]",
        ]);
}

#[test]
fn a_number_of_instances_beside_overrides_is_told_where_it_goes() {
    Setup::new()
        .toml("[pools.A]\ninstances = 2\nis_default = true\n[pools.A.instances.1]\nheadless = false\n")
        .says(&["greenroom.toml:4:10", "`count = N` under [pools.NAME.instances]"]);
}

#[test]
fn wrong_types_are_told_with_their_position() {
    for (text, position, says) in [
        (
            "headless = \"true\"",
            "1:1",
            "the string \"true\", but must be true or false",
        ),
        ("headless = 1", "1:1", "the number 1"),
        ("timeout = -1", "1:1", "the number -1"),
        ("timeout = 1.5", "1:1", "a fraction"),
        (
            "server_port = \"80\"",
            "1:1",
            "a whole number from 0 to 65535",
        ),
        ("browser = [\"chrome\"]", "1:1", "an array"),
        ("browser = \"crome\"", "1:1", "did you mean chrome?"),
        ("max_tabs = 1979-05-27", "1:1", "a date"),
        ("allowed_hosts = \"a,b\"", "1:1", "an array in TOML"),
        ("allowed_hosts = [1]", "1:1", "other things than strings"),
        ("max_tabs = 99999999999999999999", "1:1", "out of range"),
        ("\n\n  viewport = 5", "3:3", "1280x720"),
        ("[timeout]\nx = 1", "1:2", "a table"),
    ] {
        Setup::new()
            .toml(text)
            .says(&[&format!("greenroom.toml:{position}: "), says]);
    }
}

#[test]
fn the_shape_of_the_file_is_checked() {
    for (text, says) in [
        ("pools = 3", "`pools` must be a table"),
        ("[pools]\nA = 3", "`A` must be a table"),
        ("[pools.scrape]\ninstances = 1", "write SCRAPE"),
        (
            "[pools.A]\nis_default = true\n[pools.A.instances]\ncount = 1\n0 = true",
            "`0` must be a table",
        ),
        (
            "[pools.A]\nis_default = true\n[pools.A.instances]\ncount = 1\n[pools.A.instances.main]",
            "Invalid instance ID in override",
        ),
        ("[server]\nport = 1", "unknown key `server`"),
        ("HEADLESS = true", "did you mean headless?"),
        (
            "instances = 3",
            "INSTANCES defined globally, but it belongs to a pool; set `instances` under [pools.<POOL>]",
        ),
        (
            "[pools.A]\ninstances = 1\nis_default = true\nlog_level = \"info\"",
            "set `log_level` at the top of the file",
        ),
    ] {
        Setup::new().toml(text).says(&["greenroom.toml:", says]);
    }
}

#[test]
fn every_problem_of_the_file_is_told_in_its_order() {
    let messages = Setup::new()
        .toml("zebra = 1\ntimeout = \"x\"\n[pools.A]\ninstances = 0\nis_default = 7\nage = 1\n[pools.A.instances_]\n")
        .messages();
    let lines: Vec<&str> = messages
        .iter()
        .map(|m| m.split(':').nth(1).unwrap())
        .collect();
    assert_eq!(lines, ["1", "2", "4", "5", "6", "7"], "{messages:#?}");
}

#[test]
fn a_syntax_error_is_one_problem_with_its_position() {
    Setup::new()
        .toml("headless = true\ntimeout = = 3\nx = [\n")
        .says(&["greenroom.toml:2:"]);
    Setup::new()
        .toml("timeout = 1\ntimeout = 2\n")
        .says(&["greenroom.toml:2:1", "duplicate"]);
}

#[test]
fn a_named_file_must_be_readable() {
    let mut setup = Setup::new();
    setup.flags.config = Some("absent.toml".into());
    setup.says(&["~w/absent.toml: ", "cannot be read"]);
    setup.flags.config = Some(".".into());
    setup.says(&["cannot be read"]);
    std::fs::write(setup.work().join("latin.toml"), b"user_agent = \"\xe4\"\n").unwrap();
    setup.flags.config = Some("latin.toml".into());
    setup.says(&["latin.toml: ", "not UTF-8"]);
    std::fs::write(setup.work().join("big.toml"), vec![b'#'; 1024 * 1024 + 1]).unwrap();
    setup.flags.config = Some("big.toml".into());
    setup.says(&["big.toml: ", "larger than"]);
}

#[test]
fn a_dotenv_directory_belongs_to_another_tool() {
    let setup = Setup::new();
    std::fs::create_dir(setup.work().join(".env")).unwrap();
    setup.settings();
}

#[test]
fn a_dotenv_file_of_another_program_is_no_problem() {
    let settings = Setup::new()
        .dotenv("SECRET=\"-----BEGIN\nPW_MCP_PROXY_HEADLESS=nonsense\n\"\nif x; then\nPW_MCP_PROXY_TIMEOUT=5\n")
        .settings();
    assert_eq!(
        told(&settings, &instance("DEFAULT", 0), Key::Timeout).0,
        "5ms"
    );
}

#[test]
fn our_lines_of_a_dotenv_file_are_held_to_account() {
    Setup::new()
        .dotenv("\nPW_MCP_PROXY_USER_AGENT='open\n")
        .says(&["~w/.env:2 (PW_MCP_PROXY_USER_AGENT): ", "quotes closed"]);
    Setup::new()
        .dotenv("PW_MCP_PROXY_HEADLESS\n")
        .says(&["~w/.env:1 (PW_MCP_PROXY_HEADLESS): ", "NAME=VALUE"]);
    let setup = Setup::new();
    let bytes = b"# \xe4\nOTHER=\xe4\nPW_MCP_PROXY_USER_AGENT=\xe4\n";
    std::fs::write(setup.work().join(".env"), bytes).unwrap();
    setup.says(&["~w/.env:3 (PW_MCP_PROXY_USER_AGENT): ", "not UTF-8"]);
}
