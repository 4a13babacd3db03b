//! `greenroom doctor --fix`, for somebody who has the binary and nothing else.
#![allow(clippy::unwrap_used, missing_docs)]

use std::ffi::OsStr;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;
use std::process::Output;

use crate::support::Setup;
use greenroom_testkit::invariants::Baseline;
use tempfile::TempDir;

/// The binary, outside the checkout that brings an upstream.
struct Alone {
    place: TempDir,
    setup: Setup,
}

impl Alone {
    fn new(setup: Setup) -> Self {
        let place = tempfile::tempdir().unwrap();
        std::fs::copy(
            env!("CARGO_BIN_EXE_greenroom"),
            place.path().join("greenroom"),
        )
        .unwrap();
        Self { place, setup }
    }

    async fn run(&self, arguments: &[&str]) -> Output {
        let mut command = self
            .setup
            .other_program(self.place.path().join("greenroom"));
        command
            .args(arguments)
            .arg("--data-dir")
            .arg(&self.setup.data_dir);
        let output = command.output();
        let patience = std::time::Duration::from_secs(90);
        tokio::time::timeout(patience, output)
            .await
            .expect("it does not end")
            .unwrap()
    }

    fn upstream(&self) -> PathBuf {
        self.setup.data_dir.join("upstream")
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// npm takes what it has stored before, as the home of whoever runs the tests has it.
fn with_the_cache_of_npm(setup: Setup) -> Setup {
    #[allow(
        clippy::disallowed_methods,
        reason = "the home of the test's user is not a setting"
    )]
    let home = std::env::var_os("HOME").unwrap_or_default();
    let cache = PathBuf::from(home).join(".npm");
    setup.variable("npm_config_cache", cache.to_str().unwrap())
}

fn on_playwright() -> Setup {
    Setup::new().set("ENGINE", "playwright")
}

/// A PATH with this machine's Chromium on it and nothing else.
fn with_nothing_but_chromium(setup: Setup) -> Setup {
    let programs = setup.data_dir.with_file_name("bin");
    std::fs::create_dir(&programs).unwrap();
    let shell = programs.join("chromium-headless-shell");
    std::os::unix::fs::symlink("/usr/bin/chromium-headless-shell", shell).unwrap();
    let programs = programs.to_str().unwrap().to_owned();
    setup.variable("PATH", &programs)
}

#[tokio::test]
async fn the_built_in_pool_needs_chromium_and_nothing_else() {
    let alone = Alone::new(with_nothing_but_chromium(Setup::new()));
    let baseline = Baseline::take().data_dir(&alone.setup.data_dir);
    let found = alone.run(&["doctor"]).await;
    let told = stdout(&found);
    assert_eq!(found.status.code(), Some(0), "{told}");
    assert!(
        !told.contains("node") && !told.contains("upstream"),
        "{told}"
    );
    let call = ["call", "browser_evaluate", "--arg", "function=() => 6 * 7"];
    let answer = alone.run(&call).await;
    assert!(stdout(&answer).contains("42"), "{}", stderr(&answer));
    baseline.assert_clean().await;
}

#[tokio::test]
async fn the_upstream_is_installed_once_and_then_calls_work() {
    let alone = Alone::new(with_the_cache_of_npm(on_playwright()));
    let baseline = Baseline::take().data_dir(&alone.setup.data_dir);
    let call = ["call", "browser_navigate", "--arg", "url=about:blank"];
    let before = alone.run(&call).await;
    assert_eq!(before.status.code(), Some(1));
    let told = stdout(&before) + &stderr(&before);
    assert!(told.contains("greenroom doctor --fix"), "{told}");
    let found = alone.run(&["doctor"]).await;
    assert_eq!(found.status.code(), Some(1));
    assert!(
        stdout(&found).contains("fix: greenroom doctor --fix"),
        "{}",
        stdout(&found)
    );

    let fixed = alone.run(&["doctor", "--fix"]).await;
    assert_eq!(
        fixed.status.code(),
        Some(0),
        "{}{}",
        stdout(&fixed),
        stderr(&fixed)
    );
    assert!(
        stderr(&fixed).contains("installed @playwright/mcp"),
        "{}",
        stderr(&fixed)
    );
    assert!(
        alone
            .upstream()
            .join("node_modules/@playwright/mcp/cli.js")
            .is_file()
    );
    let again = alone.run(&["doctor", "--fix"]).await;
    assert_eq!(
        (again.status.code(), stderr(&again).as_str()),
        (Some(0), "")
    );

    let after = alone.run(&call).await;
    assert_eq!(
        after.status.code(),
        Some(0),
        "{}{}",
        stdout(&after),
        stderr(&after)
    );
    assert!(stdout(&after).contains("about:blank"), "{}", stdout(&after));
    baseline.assert_clean().await;
}

#[tokio::test]
async fn an_npm_that_fails_is_quoted_and_leaves_nothing_behind() {
    let setup = on_playwright().script("npm", "echo 'E404 no such package' >&2; exit 1");
    let alone = Alone::new(setup);
    let baseline = Baseline::take().data_dir(&alone.setup.data_dir);
    let output = alone.run(&["doctor", "--fix"]).await;
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    assert!(
        told.contains("npm ci failed") && told.contains("E404 no such package"),
        "{told}"
    );
    assert!(stdout(&output).contains("@playwright/mcp is not installed"));
    assert!(!alone.upstream().exists());
    baseline.assert_clean().await;
}

#[tokio::test]
async fn another_version_is_replaced_whole() {
    // This npm installs what the lockfile in its directory says, as far as anybody can tell.
    let install = r#"mkdir -p node_modules/@playwright/mcp && cd node_modules/@playwright/mcp || exit 1
grep -q '"node_modules/@playwright/mcp"' ../../../package-lock.json || exit 1
touch cli.js; echo '{"version": "0.0.83"}' >package.json"#;
    let alone = Alone::new(on_playwright().script("npm", install));
    let old = alone.upstream().join("node_modules/@playwright/mcp");
    let mut private = std::fs::DirBuilder::new();
    private.recursive(true).mode(0o700).create(&old).unwrap();
    for (name, text) in [
        ("cli.js", ""),
        ("package.json", r#"{"version": "0.0.1"}"#),
        ("old.js", ""),
    ] {
        std::fs::write(old.join(name), text).unwrap();
    }
    let baseline = Baseline::take().data_dir(&alone.setup.data_dir);
    let output = alone.run(&["doctor", "--fix"]).await;
    assert!(
        stdout(&output).contains("@playwright/mcp 0.0.83"),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
    let mut names: Vec<_> = std::fs::read_dir(&old)
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, [OsStr::new("cli.js"), OsStr::new("package.json")]);
    baseline.assert_clean().await;
}
