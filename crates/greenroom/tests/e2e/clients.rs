//! The files in `examples/clients` say what the server says of itself.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::{Path, PathBuf};

use crate::support::{Setup, TestServer};
use greenroom_testkit::upstream::Script;
use serde_json::Value;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/clients")
        .join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(file(name)).unwrap()
}

fn json(name: &str) -> Value {
    serde_json::from_str(&text(name)).unwrap()
}

/// The address of a server with nothing configured, from the settings as the binary has them.
async fn default_url() -> String {
    let setup = Setup::new();
    let shown = setup.command(&["config", "show", "--json"]).output();
    let shown: Value = serde_json::from_slice(&shown.await.unwrap().stdout).unwrap();
    let value = |key: &str| shown["server"][key]["value"].clone();
    let (host, port) = (value("SERVER_HOST"), value("SERVER_PORT"));
    format!(
        "http://{}:{}/mcp",
        host.as_str().unwrap(),
        port.as_u64().unwrap()
    )
}

#[tokio::test]
async fn every_file_names_the_address_of_a_server_with_nothing_configured() {
    let url = default_url().await;
    let claude = &json("claude-code.json")["mcpServers"]["greenroom"];
    assert_eq!(
        (&claude["type"], &claude["url"]),
        (&"http".into(), &url.as_str().into())
    );
    assert_eq!(
        json("cursor-mcp.json")["mcpServers"]["greenroom"]["url"],
        url
    );
    let vscode = &json("vscode-mcp.json")["servers"]["greenroom"];
    assert_eq!(
        (&vscode["type"], &vscode["url"]),
        (&"http".into(), &url.as_str().into())
    );
    assert!(text("python_client.py").contains(&format!("URL = \"{url}\"\n")));
    assert!(text("README.md").contains(&format!("greenroom {url}`")));
    let stdio = &json("stdio-mcp.json")["mcpServers"]["greenroom"];
    assert_eq!(stdio["command"], "greenroom");
    // What it names is a command of this binary.
    let help = Setup::new();
    let arguments: Vec<&str> = stdio["args"]
        .as_array()
        .unwrap()
        .iter()
        .map(|a| a.as_str().unwrap())
        .collect();
    let helped = help
        .command(&[&arguments[..], &["--help"]].concat())
        .output()
        .await
        .unwrap();
    assert_eq!(helped.status.code(), Some(0), "{helped:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_ready_prints_the_same() {
    let setup = Setup::per_call(1).upstream("_P", Script::default());
    let server = TestServer::start(setup).await;
    let url = default_url().await;
    let log = server.log();
    for (client, name) in [
        ("Cursor", "cursor-mcp.json"),
        ("VS Code", "vscode-mcp.json"),
    ] {
        let line = log.lines().find(|line| line.starts_with(client));
        let line = line.unwrap_or_else(|| panic!("nothing for {client} in:\n{log}"));
        let printed: Value = serde_json::from_str(&line[line.find('{').unwrap()..]).unwrap();
        let committed = text(name).replace(&url, &server.url);
        assert_eq!(printed, serde_json::from_str::<Value>(&committed).unwrap());
    }
    let command = format!("claude mcp add --transport http greenroom {}", server.url);
    assert!(log.contains(&command), "{log}");
    server.stop().await;
}

#[tokio::test]
async fn the_python_client_is_a_program() {
    let check = "import ast, sys; ast.parse(open(sys.argv[1]).read())";
    let setup = Setup::new();
    let mut python = setup.other_program("python3");
    python.args(["-c", check]).arg(file("python_client.py"));
    let output = python.output().await.unwrap();
    assert!(output.status.success(), "{output:?}");
}
