//! `examples/wsl-windows.env`: Edge on the Windows side, driven from WSL. The tools of Windows are
//! played by scripts, which read and write paths as theirs do.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support::{Legacy, Setup, TestServer, error_of, text_of};
use greenroom_testkit::fake_upstream;
use greenroom_testkit::upstream::Script;
use serde_json::json;

const EXAMPLE: &str = include_str!("../../../../examples/wsl-windows.env");

/// How Windows calls the root of this side's files.
const ROOT: &str = r"\\wsl.localhost\Debian";

/// Prints the name that Windows has for a path.
const WSLPATH: &str = r#"[ "$1" = -w ] || exit 2
printf '\\\\wsl.localhost\\Debian%s\n' "$(printf '%s' "$2" | tr / '\\')""#;

/// Notes its arguments, then runs the fake upstream with the paths of this side.
const NODE: &str = r#"printf '%s\n' "$@" >"$HOME/node.exe.$$"
[ "$1" = --version ] && { echo v22.1.0; exit; }
for word do
  shift
  case $word in '\\wsl.localhost\Debian'*)
    word=$(printf '%s' "${word#'\\wsl.localhost\Debian'}" | tr '\\' /) ;;
  esac
  set -- "$@" "$word"
done
exec FAKE --script '@SCRIPT' "$@""#;

fn windows() -> Setup {
    let setup = Setup::new().file(".env", EXAMPLE);
    let script = setup.data_dir.with_file_name("script.json");
    std::fs::write(&script, Script::default().to_json()).unwrap();
    let node = NODE
        .replace("FAKE", &format!("'{}'", fake_upstream().display()))
        .replace("SCRIPT", script.to_str().unwrap());
    setup.script("wslpath", WSLPATH).script("node.exe", &node)
}

/// What `node.exe` was started with in the process of an instance.
fn arguments(setup: &Setup, pid: u64) -> Vec<String> {
    let note = setup.data_dir.with_file_name(format!("node.exe.{pid}"));
    let note = std::fs::read_to_string(note).unwrap();
    note.lines().map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_windows_of_edge_are_driven_by_the_node_of_windows() {
    let server = TestServer::start(windows()).await;
    let client = Legacy::connect(&server.url).await;
    server.all_healthy(&client, 2).await;
    let status = server.until(&client, |_| true).await;
    let pool = &status["pools"][0];
    assert_eq!(
        (&pool["name"], &pool["is_default"]),
        (&json!("WINDOWS"), &json!(true))
    );
    assert_eq!(pool["available_instances"], 2);
    for instance in pool["instances"].as_array().unwrap() {
        assert_eq!(instance["browser"], "msedge");
        assert_eq!(instance["headless"], false);
        let line = arguments(&server.setup, instance["process_id"].as_u64().unwrap());
        let value = |option: &str| {
            let at = line.iter().position(|word| word == option);
            &line[at.unwrap_or_else(|| panic!("no {option} in {line:#?}")) + 1]
        };
        assert!(line[0].starts_with(ROOT) && line[0].ends_with(r"@playwright\mcp\cli.js"));
        assert_eq!(value("--browser"), "msedge");
        // The window, the sandbox and the program are the business of Windows.
        for absent in [
            "--headless",
            "--no-sandbox",
            "--sandbox",
            "--executable-path",
        ] {
            assert!(!line.contains(&absent.to_owned()), "{absent} in {line:#?}");
        }
        for path in ["--user-data-dir", "--output-dir", "--config"] {
            let path = value(path);
            assert!(path.starts_with(ROOT) && !path.contains('/'), "{path}");
        }
    }

    let url = "http://a.example/";
    let seen = client.call("browser_navigate", json!({"url": url})).await;
    assert!(text_of(&seen).contains("visit 1"), "{seen:#}");
    assert!(
        !text_of(&seen).contains("[Snapshot]("),
        "a link to a file: {seen:#}"
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn outside_wsl_the_setting_is_refused_with_the_way_out() {
    let setup = Setup::new()
        .file(".env", EXAMPLE)
        .variable("PATH", "/nonexistent");
    let server = TestServer::start_listening(setup).await;
    let client = Legacy::connect(&server.url).await;
    let text = error_of(&client.call("browser_snapshot", json!({})).await);
    assert!(
        text.contains("wslpath") && text.contains("WSL_WINDOWS works inside WSL only"),
        "{text}"
    );
    server.stop().await;
}
