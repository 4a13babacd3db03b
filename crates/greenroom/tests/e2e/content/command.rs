//! `greenroom content` and `greenroom call`, with a server and without.

use std::process::Output;

use greenroom_testkit::site::Site;
use serde_json::{Value, json};

use super::{browsers, open, ref_in, ref_of, told};
use crate::support::{Legacy, Setup, TestServer};

async fn run(setup: &Setup, arguments: &[&str]) -> (Option<i32>, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = setup.command(arguments).output().await.unwrap();
    let said = String::from_utf8_lossy(&stdout).into_owned();
    let complaint = String::from_utf8_lossy(&stderr);
    (status.code(), format!("{said}{complaint}"))
}

/// What `greenroom content` prints of an answer that is there.
async fn content(setup: &Setup, arguments: &[&str]) -> String {
    let (code, said) = run(setup, &[&["content"], arguments].concat()).await;
    assert_eq!(code, Some(0), "{arguments:?}: {said}");
    said
}

/// Two answers of one page, the second after a press of its third button, and one with errors.
struct Recorded {
    before: String,
    after: String,
    errors: String,
}

async fn assert_readable(setup: &Setup, recorded: &Recorded) {
    let Recorded {
        before,
        after,
        errors,
    } = recorded;
    // As often as a person likes: a terminal has no cursor.
    for _ in 0..2 {
        let all = content(setup, &[before]).await;
        assert!(
            all.contains("\"Item 1\"") && all.contains("\"Item 30\""),
            "{all}"
        );
    }
    let found = content(setup, &[before, "--search", "item 17", "--context", "1"]).await;
    assert!(
        found.contains("\"Item 17\"") && !found.contains("Item 19"),
        "{found}"
    );
    let refs = content(setup, &[before, "--query", "nodes[?role=='button'].name"]).await;
    let names: Value = serde_json::from_str(refs.lines().next().unwrap()).unwrap();
    assert_eq!(names.as_array().unwrap().len(), 30, "{refs}");
    let changed = content(setup, &[after, "--since", before]).await;
    assert!(
        changed.contains("Item 3 pressed 1") && !changed.contains("Item 20"),
        "{changed}"
    );
    let console = content(setup, &[errors, "--console"]).await;
    assert!(console.contains("[ERROR] second error"), "{console}");
    let result = content(setup, &[before, "--json"]).await;
    let result: Value = serde_json::from_str(&result).unwrap();
    assert_eq!(result["isError"], false, "{result:#}");
    assert!(
        result["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("Item 30")
    );
    let unknown = "01920000-0000-7000-8000-000000000000";
    let (code, said) = run(setup, &["content", unknown]).await;
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("unknown ref_id"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn recorded_answers_are_printed_with_a_server_and_without() {
    let site = Site::start().await;
    // One for the client and one for the commands, which would have to wait for it.
    let server = TestServer::start(browsers(2).set("INLINE_MAX", "500")).await;
    let client = Legacy::connect(&server.url).await;
    let errors = open(&client, &site.url("/errors")).await;
    let before = open(&client, &site.url("/list?count=30")).await;
    let page = told(&client, &before, json!({})).await;
    let click = json!({"target": ref_in(&page, "\"Item 3\"")});
    let after = ref_of(&client.call("browser_click", click).await);
    let recorded = Recorded {
        before,
        after,
        errors,
    };
    assert_readable(&server.setup, &recorded).await;

    // A person at a terminal wants to read what a tool says, however long.
    let url = format!("url={}", site.url("/list?count=30"));
    let (code, said) = run(&server.setup, &["call", "browser_navigate", "--arg", &url]).await;
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("Item 30") && !said.contains("### Outline"),
        "{said}"
    );
    let facts = [
        "call",
        "browser_navigate",
        "--arg",
        &url,
        "--arg",
        "response_mode=ref",
    ];
    let (_, said) = run(&server.setup, &facts).await;
    assert!(
        said.contains("### Stored as") && !said.contains("Item 30"),
        "{said}"
    );

    let mut server = server;
    server.signal(rustix::process::Signal::TERM);
    assert_eq!(server.wait().await.code(), Some(0), "{}", server.log());
    let (setup, baseline) = server.into_parts();
    assert_readable(&setup, &recorded).await;
    baseline.assert_clean().await;

    let (code, said) = run(&Setup::new(), &["content", &recorded.before]).await;
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("nothing is recorded in"), "{said}");
}
