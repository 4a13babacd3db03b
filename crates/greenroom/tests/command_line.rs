//! The binary as a person meets it: exit codes, what goes to stdout and what to stderr.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;
use std::process::{Command, Output};

/// Runs the binary in a directory of its own, with these variables and no others but `PATH`.
fn greenroom(dir: &Path, variables: &[(&str, &str)], args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_greenroom"))
        .args(args)
        .current_dir(dir)
        .env_clear()
        .env("PATH", option_env!("PATH").unwrap_or("/usr/bin:/bin"))
        .env("HOME", dir)
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn with_nothing_configured_the_built_in_pool_is_valid() {
    let dir = tempfile::tempdir().unwrap();
    let output = greenroom(dir.path(), &[], &["config", "check"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("default pool DEFAULT"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn five_mistakes_give_five_messages_and_exit_2() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("greenroom.toml"), "headles = true\n").unwrap();
    let variables = [
        ("PW_MCP_PROXY_INSTANCES", "3"),
        ("PW_MCP_PROXY__A_INSTANCES", "two"),
        ("PW_MCP_PROXY__A_IS_DEFAULT", "true"),
        ("PW_MCP_PROXY__A__0_ALIAS", "7"),
        ("PLAYWRIGHT_HEADLESS", "false"),
    ];
    let output = greenroom(dir.path(), &variables, &["config", "check"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output), "");
    let text = stderr(&output);
    for place in [
        "greenroom.toml:1:1",
        "PW_MCP_PROXY_INSTANCES",
        "PW_MCP_PROXY__A_INSTANCES",
        "PW_MCP_PROXY__A__0_ALIAS",
        "PLAYWRIGHT_HEADLESS",
    ] {
        assert!(text.contains(place), "{place} is not named in:\n{text}");
    }
}

#[test]
fn show_tells_each_value_with_its_origin_and_never_a_token() {
    let dir = tempfile::tempdir().unwrap();
    let variables = [
        ("PW_MCP_PROXY_TIMEOUT", "45000"),
        (
            "PW_MCP_PROXY_AUTH_TOKENS",
            "ann:correct-horse-battery-staple",
        ),
    ];
    for args in [&["config", "show"][..], &["config", "show", "--json"]] {
        let output = greenroom(dir.path(), &variables, args);
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(
            text.contains("45000") && text.contains("PW_MCP_PROXY_TIMEOUT"),
            "{text}"
        );
        assert!(!text.contains("correct-horse"), "{text}");
    }
}

#[test]
fn the_example_is_a_configuration_that_works() {
    let dir = tempfile::tempdir().unwrap();
    let example = greenroom(dir.path(), &[], &["config", "example"]);
    let file = dir.path().join("mine.toml");
    std::fs::write(&file, &example.stdout).unwrap();
    let output = greenroom(
        dir.path(),
        &[],
        &["config", "check", "--config", "mine.toml"],
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn the_committed_reference_is_what_the_binary_prints() {
    let dir = tempfile::tempdir().unwrap();
    let printed = stdout(&greenroom(dir.path(), &[], &["config", "reference"]));
    let committed = include_str!("../../../docs/configuration.md");
    assert!(
        printed == committed,
        "docs/configuration.md is out of date: run make docs"
    );
}

#[test]
fn doctor_finds_what_this_machine_needs_and_says_so_in_json_too() {
    let dir = tempfile::tempdir().unwrap();
    let variables = [("PW_MCP_PROXY_ENGINE", "playwright")];
    let output = greenroom(dir.path(), &variables, &["doctor", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let status_of = |name: &str| {
        let checks = report["checks"].as_array().unwrap();
        let check = checks.iter().find(|check| check["name"] == name);
        check.unwrap_or_else(|| panic!("no check of {name} in {report:#}"))["status"].clone()
    };
    for name in [
        "configuration",
        "data directory",
        "chromium",
        "headless shell",
        "node",
        "upstream",
    ] {
        assert_eq!(status_of(name), "ok", "run `make setup` first:\n{report:#}");
    }
    for name in ["sandbox", "/dev/shm", "file limit", "cgroup"] {
        assert_ne!(status_of(name), "problem", "{report:#}");
    }
    assert_eq!(report["ok"], true);
}

#[test]
fn doctor_fails_with_the_fix_when_a_configured_browser_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    let variables = [("PW_MCP_PROXY_EXECUTABLE_PATH", "/nonexistent/chrome")];
    let output = greenroom(dir.path(), &variables, &["doctor"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(
        text.contains("/nonexistent/chrome") && text.contains("fix: "),
        "{text}"
    );
}

#[test]
fn completions_and_version_are_printed() {
    let dir = tempfile::tempdir().unwrap();
    let script = stdout(&greenroom(dir.path(), &[], &["completions", "bash"]));
    assert!(script.contains("_greenroom"), "{script}");
    let version = stdout(&greenroom(dir.path(), &[], &["--version"]));
    assert_eq!(
        version,
        format!("greenroom {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn a_wrong_flag_exits_2_and_a_closed_pipe_is_no_crash() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(
        greenroom(dir.path(), &[], &["--nonsense"]).status.code(),
        Some(2)
    );
    let binary = env!("CARGO_BIN_EXE_greenroom");
    let script =
        format!("'{binary}' config reference | head -n 1 >/dev/null; exit ${{PIPESTATUS[0]}}");
    let output = Command::new("bash").args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}
