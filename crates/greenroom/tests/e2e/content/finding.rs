//! Parts, searches, queries and comparisons, and what is said when there is nothing to give.

use greenroom_store::{CallFilter, Options, Outcome, Principal, Store};
use greenroom_testkit::site::Site;
use greenroom_testkit::upstream::{CallRule, Reply, Script};
use serde_json::{Value, json};

use super::{browsers, open, read, ref_in, ref_of, told};
use crate::support::{Legacy, TestServer, error_of, text_of};

const ANN: &str = "ann-has-a-long-token";
const BEN: &str = "ben-has-another-token";

/// A name that no answer has.
const NOBODY: &str = "01920000-0000-7000-8000-000000000000";

/// Why a read is refused.
async fn refused(client: &Legacy, ref_id: &str, more: Value) -> String {
    error_of(&read(client, ref_id, more).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_are_found_with_their_surroundings_and_refs() {
    let site = Site::start().await;
    let server = TestServer::start(browsers(1)).await;
    let client = Legacy::connect(&server.url).await;
    let ref_id = open(&client, &site.url("/list?count=60")).await;
    let around = json!({"search_for": "ITEM 41", "before_lines": 2, "after_lines": 2});
    let found = told(&client, &ref_id, around).await;
    for item in ["Item 40", "Item 41", "Item 42"] {
        assert!(found.contains(&format!("\"{item}\"")), "{item} in {found}");
    }
    assert!(
        !found.contains("Item 39") && !found.contains("Item 43"),
        "{found}"
    );
    let hit = found.lines().find(|line| line.contains("Item 41")).unwrap();
    assert!(
        hit.split_once(": ").unwrap().0.parse::<u64>().is_ok(),
        "{hit}"
    );
    let click = json!({"target": ref_in(&found, "Item 41")});
    let clicked = client.call("browser_click", click).await;
    assert_eq!(clicked["isError"], false, "{clicked:#}");

    let nothing = told(&client, &ref_id, json!({"search_for": "zebra"})).await;
    assert!(nothing.contains("no line contains 'zebra'"), "{nothing}");
    assert_eq!(nothing.lines().count(), 1, "{nothing}");
    let some = told(
        &client,
        &ref_id,
        json!({"search_for": "button \"Item", "limit": 3}),
    )
    .await;
    assert!(some.contains("3 of 60 lines"), "{some}");

    let since = told(&client, &ref_of(&clicked), json!({"since": ref_id})).await;
    assert!(
        since.contains("Item 41 pressed 1") && since.contains(&ref_id),
        "{since}"
    );
    let same = told(&client, &ref_id, json!({"since": ref_id})).await;
    assert!(same.contains("no difference"), "{same}");

    open(&client, &site.url("/named?name=heron")).await;
    let words = |words: &str| json!({"search_for": words, "history": true});
    let history = told(&client, &ref_id, words("heron")).await;
    assert!(
        history.contains("1 pages") && history.contains("name=heron"),
        "{history}"
    );
    let history = told(&client, &ref_id, words("pressed")).await;
    assert!(history.contains(&ref_of(&clicked)), "{history}");
    let history = told(&client, &ref_id, words("zebra")).await;
    assert!(
        history.contains("no page of this session has 'zebra'"),
        "{history}"
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn queries_select_links_and_buttons_with_refs_that_work() {
    let site = Site::start().await;
    let server = TestServer::start(browsers(1)).await;
    let client = Legacy::connect(&server.url).await;
    let home = open(&client, &site.url("/")).await;
    let links = json!({"query": "nodes[?role=='link'].{name:name,ref:ref}"});
    let links = told(&client, &home, links).await;
    let links: Value = serde_json::from_str(links.lines().next().unwrap()).unwrap();
    assert_eq!(links[0]["name"], "a link", "{links:#}");
    let click = json!({"target": links[0]["ref"]});
    let clicked = client.call("browser_click", click).await;
    assert!(text_of(&clicked).contains("This is linked"), "{clicked:#}");

    let list = open(&client, &site.url("/list?count=5")).await;
    let buttons = json!({"query": "nodes[?role=='button'].ref"});
    let buttons = told(&client, &list, buttons).await;
    let buttons: Value = serde_json::from_str(buttons.lines().next().unwrap()).unwrap();
    assert_eq!(buttons.as_array().unwrap().len(), 5, "{buttons:#}");
    let none = told(&client, &list, json!({"query": "nodes[?role=='slider']"})).await;
    assert!(none.contains("nothing matches"), "{none}");
    let bad = refused(&client, &list, json!({"query": "nodes[?role=="})).await;
    assert!(bad.to_lowercase().contains("jmespath"), "{bad}");
    let no_page = client
        .call("browser_evaluate", json!({"function": "() => 42"}))
        .await;
    let no_page = refused(&client, &ref_of(&no_page), json!({"query": "nodes"})).await;
    assert!(no_page.contains("search_for"), "{no_page}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_refused_clearly_and_nobody_learns_of_others() {
    let setup = browsers(2)
        .upstream("_P", Script::default())
        .set("AUTH_TOKENS", &format!("ann:{ANN},ben:{BEN}"));
    let server = TestServer::start(setup).await;
    let ann = Legacy::connect_as(&server.url, ANN).await;
    let ben = Legacy::connect_as(&server.url, BEN).await;
    let ref_id = open(&ann, "http://a.test/").await;
    let page = told(&ann, &ref_id, json!({})).await;
    let lines = page.lines().count() - 1;

    let last = told(&ann, &ref_id, json!({"offset": lines - 1})).await;
    assert!(last.contains("this is the end"), "{last}");
    for unit in ["lines", "bytes"] {
        let past = json!({"offset": 9999, "unit": unit});
        let past = refused(&ann, &ref_id, past).await;
        assert!(
            past.contains("offset 9999 is past the end") && past.contains(unit),
            "{past}"
        );
    }
    let unknown = refused(&ann, NOBODY, json!({})).await;
    assert!(unknown.contains("unknown ref_id"), "{unknown}");
    let foreign = refused(&ben, &ref_id, json!({})).await;
    assert_eq!(foreign.replace(&ref_id, NOBODY), unknown);
    let since = refused(&ann, &ref_id, json!({"since": NOBODY})).await;
    assert_eq!(since, unknown);
    let nonsense = refused(&ann, "page-1", json!({})).await;
    assert_eq!(nonsense.replace("page-1", NOBODY), unknown);
    let console = ben
        .call("get_console_content", json!({"ref_id": ref_id}))
        .await;
    assert_eq!(error_of(&console), foreign);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_never_answered_is_known_and_says_what_to_do() {
    let silent = Script::for_calls(CallRule {
        tool: Some("browser_evaluate".to_owned()),
        reply: Reply::Never,
        ..CallRule::default()
    });
    let server = TestServer::start(browsers(1).upstream("_P", silent)).await;
    let client = Legacy::connect(&server.url).await;
    let asked = tokio::spawn(async move {
        let evaluate = json!({"function": "() => 1"});
        client.call("browser_evaluate", evaluate).await
    });
    server.setup.called("_P", "browser_evaluate").await;
    let (setup, baseline) = server.kill().await;
    assert!(asked.await.is_err(), "a dead server does not answer");

    let record = Store::open(setup.data_dir.join("greenroom.db"), Options::default());
    let record = record.await.unwrap();
    let filter = CallFilter {
        limit: 10,
        ..CallFilter::default()
    };
    let calls = record.calls(Principal::new("local"), filter).await.unwrap();
    record.close().await;
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert_eq!(calls[0].outcome, Outcome::Unknown);

    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    let said = refused(&client, &calls[0].ref_id.to_string(), json!({})).await;
    assert!(
        said.contains("has no answer to read") && said.contains("browser_snapshot"),
        "{said}"
    );
    server.stop().await;
    baseline.assert_clean().await;
}
