//! A cloned repository must not choose what runs.

use crate::support::Setup;

const KEYS: [(&str, &str); 3] = [
    ("EXECUTABLE_PATH", "/tmp/evil"),
    ("UPSTREAM_COMMAND", "/tmp/evil"),
    ("ARGS", "--evil"),
];

#[test]
fn keys_that_name_what_is_run_are_refused_from_a_dotenv_file() {
    for (key, value) in KEYS {
        for variable in [
            format!("PW_MCP_PROXY_{key}"),
            format!("PW_MCP_PROXY__A__0_{key}"),
        ] {
            Setup::new()
                .env("PW_MCP_PROXY__A_INSTANCES=1 PW_MCP_PROXY__A_IS_DEFAULT=true")
                .dotenv(&format!("{variable}={value}\n"))
                .says(&[
                    &variable,
                    "must not choose what runs",
                    "environment",
                    "--config",
                ]);
        }
    }
}

#[test]
fn they_are_refused_from_a_toml_file_that_was_only_found() {
    for (key, value) in KEYS {
        Setup::new()
            .toml(&format!("{} = \"{value}\"\n", key.to_lowercase()))
            .says(&[
                "greenroom.toml:1:1",
                key,
                "must not choose what runs",
                "name the file with --config",
            ]);
    }
}

#[test]
fn they_are_accepted_from_a_file_that_was_named() {
    let settings = Setup::new()
        .chosen_toml("executable_path = \"./bin/chrome\"\nargs = [\"--a b\"]\nupstream_command = \"node x.js\"\n")
        .settings();
    let instance = &settings.default_pool().instances[0];
    assert!(
        instance
            .executable_path
            .as_ref()
            .unwrap()
            .ends_with("work/bin/chrome")
    );
    assert_eq!(instance.args, ["--a b"]);
    assert_eq!(
        instance.upstream_command.as_deref().unwrap(),
        ["node", "x.js"]
    );
}

#[test]
fn they_are_accepted_from_the_users_own_file_the_environment_and_flags() {
    let user = "../home/.config/greenroom/greenroom.toml";
    Setup::new().file(user, "args = \"--a\"\n").settings();
    Setup::new().env("PW_MCP_PROXY_ARGS=--a").settings();
    Setup::new().set("ARGS=--a").settings();
}
