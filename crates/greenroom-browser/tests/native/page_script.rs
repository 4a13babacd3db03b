//! The tests of the script that lives in pages, and its comparison with upstream's, which are
//! written in the script's own language and run by Node beside the pinned upstream.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

/// Many times longer than any of them takes.
const LONGEST: Duration = Duration::from_secs(120);

fn page_directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("page")
}

/// The packages of the pinned upstream, which the checkout has at its top.
fn upstream() -> PathBuf {
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../upstream/node_modules");
    assert!(
        modules.join("playwright-core").is_dir(),
        "the pinned upstream is not installed; run: make setup (or npm ci --prefix upstream --ignore-scripts)"
    );
    modules
}

/// Runs a file of the script's directory and gives what it wrote; it must succeed.
async fn node(file: &str) -> String {
    let running = Command::new("node")
        .arg(file)
        .current_dir(page_directory())
        .env("UPSTREAM_MODULES", upstream())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let ended = timeout(LONGEST, running).await;
    let ended = ended.unwrap_or_else(|_| panic!("node {file} hangs"));
    let ended = ended.unwrap_or_else(|error| {
        panic!("node cannot be run ({error}); run: make setup (or apt-get install nodejs npm)")
    });
    let told = String::from_utf8_lossy(&ended.stdout).into_owned();
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert!(
        ended.status.success(),
        "node {file} in {}: {}\n{told}{errors}",
        page_directory().display(),
        ended.status
    );
    told
}

#[tokio::test]
async fn the_scripts_own_tests_pass() {
    let told = node("tests/all.mjs").await;
    let count = told.lines().find_map(|line| line.strip_prefix("# pass "));
    let count: u32 = count.and_then(|count| count.parse().ok()).unwrap_or(0);
    assert!(count > 40, "only {count} tests ran:\n{told}");
}

#[test]
fn every_test_file_of_the_script_is_among_those_that_are_run() {
    let all = std::fs::read_to_string(page_directory().join("tests/all.mjs")).unwrap();
    let files = std::fs::read_dir(page_directory().join("tests")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let tests: Vec<_> = names.filter(|name| name.ends_with(".test.mjs")).collect();
    assert!(!tests.is_empty());
    for name in tests {
        assert!(
            all.contains(&format!("import './{name}';")),
            "{name} is not in all.mjs"
        );
    }
}

#[tokio::test]
async fn snapshots_differ_from_upstreams_on_the_pages_where_they_should_and_on_no_other() {
    let told = node("compare.mjs").await;
    let pages = std::fs::read_dir(page_directory().join("pages"))
        .unwrap()
        .count();
    let compared = told.lines().filter(|line| line.contains("whole: ")).count();
    assert_eq!(compared, pages, "{told}");
    assert!(!told.contains("not as they should be"), "{told}");
}

#[tokio::test]
async fn locators_are_upstreams_and_lead_to_one_element() {
    let told = node("compare-locators.mjs").await;
    let compared = told.lines().last().unwrap_or_default();
    assert!(compared.contains("lead to one element"), "{told}");
    let total = compared
        .split(' ')
        .nth(2)
        .and_then(|total| total.parse().ok());
    assert!(total > Some(200), "too few were compared: {compared}");
}
