//! Cookies, local and session storage, and the state of a world as a file.

use std::io::Write as _;

use crate::actor::{Actor, section, text};
use greenroom_browser::call::Reply;
use serde_json::{Value, json};

/// The code of an answer, without its fence.
fn code(reply: &Reply) -> String {
    let section = section(reply, "Ran Playwright code").unwrap_or_default();
    let plain = section
        .trim_start_matches("```js\n")
        .trim_end_matches("```");
    plain.trim_end().to_owned()
}

fn result(reply: &Reply) -> String {
    section(reply, "Result").unwrap_or_default()
}

/// Lays a state out as a file, and gives its path.
async fn lay_out(actor: &Actor, name: &str, contents: &[u8]) -> String {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(contents).unwrap();
    let mut file = tokio::fs::File::open(file.path()).await.unwrap();
    let path = actor.instance.lay_out("f", name, &mut file).await.unwrap();
    path.to_str().unwrap().to_owned()
}

#[tokio::test]
async fn cookies_are_those_of_the_page_unless_a_domain_is_given() {
    let actor = Actor::enter().await;
    let lost = json!({"name": "a", "value": "1"});
    let refused = actor.refused("browser_cookie_set", lost).await;
    assert!(refused.contains("Give the cookie a domain"), "{refused}");
    actor.visit("/x/page", "<h1>Page</h1>").await;
    let plain = json!({"name": "a", "value": "b c"});
    let reply = actor.call("browser_cookie_set", plain).await;
    assert_eq!(
        code(&reply),
        "await page.context().addCookies([{\"name\":\"a\",\"value\":\"b c\",\"domain\":\"127.0.0.1\",\"path\":\"/\"}]);"
    );
    let full = json!({"name": "s", "value": "", "path": "/x", "expires": 1_999_999_999, "httpOnly": true,
                      "secure": false, "sameSite": "Strict"});
    let reply = actor.call("browser_cookie_set", full).await;
    assert_eq!(
        code(&reply),
        "await page.context().addCookies([{\"name\":\"s\",\"value\":\"\",\"domain\":\"127.0.0.1\",\"path\":\"/x\",\
         \"expires\":1999999999,\"httpOnly\":true,\"secure\":false,\"sameSite\":\"Strict\"}]);"
    );
    assert_eq!(actor.run("() => document.cookie").await, "\"a=b c\"");
    let reply = actor.call("browser_cookie_get", json!({"name": "s"})).await;
    assert_eq!(
        result(&reply),
        "s= (domain: 127.0.0.1, path: /x, httpOnly: true, secure: false, sameSite: Strict)"
    );
    let listed = actor
        .call("browser_cookie_list", json!({"path": "/x"}))
        .await;
    assert_eq!(result(&listed), "s= (domain: 127.0.0.1, path: /x)");
    assert_eq!(code(&listed), "await page.context().cookies();");
    let wrong = json!({"name": "a", "value": "b", "domain": "http://x", "path": "y"});
    let refused = actor.refused("browser_cookie_set", wrong).await;
    assert!(refused.contains("without a scheme"), "{refused}");
    let reply = actor
        .call("browser_cookie_delete", json!({"name": "a"}))
        .await;
    assert_eq!(
        code(&reply),
        "await page.context().clearCookies({ name: 'a' });"
    );
    assert_eq!(actor.run("() => document.cookie").await, "\"\"");
    let reply = actor.call("browser_cookie_get", json!({"name": "a"})).await;
    assert_eq!(result(&reply), "Cookie 'a' not found");
    let reply = actor.call("browser_cookie_clear", json!({})).await;
    assert_eq!(code(&reply), "await page.context().clearCookies();");
    let listed = actor.call("browser_cookie_list", json!({})).await;
    assert_eq!(result(&listed), "No cookies found");
    actor.leave().await;
}

#[tokio::test]
async fn each_storage_is_listed_read_set_and_cleared_by_itself() {
    let actor = Actor::enter().await;
    let nowhere = actor.refused("browser_localstorage_list", json!({})).await;
    assert!(
        nowhere.contains("Go to a page of a web site first"),
        "{nowhere}"
    );
    actor.visit("/page", "<h1>Page</h1>").await;
    // What a page makes of these objects changes nothing.
    actor
        .run("() => { Storage.prototype.getItem = () => 'forged'; }")
        .await;
    for (tool, name) in [
        ("browser_localstorage", "localStorage"),
        ("browser_sessionstorage", "sessionStorage"),
    ] {
        let call = async |action: &str, arguments: Value| {
            actor.call(&format!("{tool}_{action}"), arguments).await
        };
        let none = call("list", json!({})).await;
        assert_eq!(result(&none), format!("No {name} items found"));
        assert_eq!(code(&none), format!("await page.{name}.items();"));
        let set = call("set", json!({"key": "k", "value": "it's"})).await;
        assert_eq!(
            code(&set),
            format!("await page.{name}.setItem('k', 'it\\'s');")
        );
        call("set", json!({"key": "", "value": ""})).await;
        assert_eq!(
            actor.run(&format!("() => {name}.k + {name}.length")).await,
            "\"it's2\""
        );
        let got = call("get", json!({"key": "k"})).await;
        assert_eq!(result(&got), "k=it's");
        assert_eq!(code(&got), format!("await page.{name}.getItem('k');"));
        let got = call("get", json!({"key": "n"})).await;
        assert_eq!(result(&got), format!("{name} key 'n' not found"));
        let deleted = call("delete", json!({"key": "k"})).await;
        assert_eq!(
            code(&deleted),
            format!("await page.{name}.removeItem('k');")
        );
        assert_eq!(result(&call("list", json!({})).await), "=");
        let cleared = call("clear", json!({})).await;
        assert_eq!(code(&cleared), format!("await page.{name}.clear();"));
        assert_eq!(actor.run(&format!("() => {name}.length")).await, "0");
    }
    actor.leave().await;
}

#[tokio::test]
async fn a_state_that_was_saved_brings_back_what_was_there_and_nothing_else() {
    let actor = Actor::enter().await;
    let other = actor.site.elsewhere("/other");
    actor.site.page("/other", "<h1>Other</h1>");
    actor.go(&other).await;
    actor
        .run("() => localStorage.setItem('there', 'yes')")
        .await;
    actor.visit("/page", "<h1>Page</h1>").await;
    actor
        .run("() => { localStorage.setItem('k', 'v'); document.cookie = 'c=1'; }")
        .await;
    // A site that the browser refuses to go to keeps nothing, and does not spoil the rest.
    actor
        .refused("browser_navigate", json!({"url": "http://127.0.0.1:1/"}))
        .await;
    actor.call("browser_navigate_back", json!({})).await;
    let asked = actor.site.asked("").len();
    let saved = actor
        .call(
            "browser_storage_state",
            json!({"filename": "../up/state.json"}),
        )
        .await;
    assert_eq!(result(&saved), "- Storage state: state.json");
    assert_eq!(
        code(&saved),
        "await page.context().storageState({ path: 'state.json' });"
    );
    assert_eq!(actor.site.asked("").len(), asked, "no site is asked for it");
    assert_eq!(saved.files.len(), 1);
    let state: Value = serde_json::from_slice(&saved.files[0].bytes).unwrap();
    let expected = json!({
        "cookies": [{"name": "c", "value": "1", "domain": "127.0.0.1", "path": "/", "expires": -1.0,
                     "httpOnly": false, "secure": false, "sameSite": "Lax"}],
        "origins": [
            {"origin": actor.site.elsewhere(""), "localStorage": [{"name": "there", "value": "yes"}]},
            {"origin": actor.site.url(""), "localStorage": [{"name": "k", "value": "v"}]},
        ],
    });
    assert_eq!(state, expected);
    actor
        .run("() => { localStorage.clear(); localStorage.setItem('later', '1'); document.cookie = 'd=2'; }")
        .await;
    let path = lay_out(&actor, "state.json", &saved.files[0].bytes).await;
    let restored = actor
        .call("browser_set_storage_state", json!({"filename": path}))
        .await;
    assert_eq!(
        result(&restored),
        "Storage state restored from given/f/state.json",
        "where it lies is nobody's business"
    );
    assert!(code(&restored).starts_with("await page.context().setStorageState('"));
    assert_eq!(
        actor
            .run("() => JSON.stringify(localStorage) + document.cookie")
            .await,
        "\"{\\\"k\\\":\\\"v\\\"}c=1\""
    );
    let listed = actor.call("browser_tabs", json!({"action": "list"})).await;
    assert_eq!(listed.tabs.len(), 1, "{}", text(&listed));
    actor.leave().await;
}

#[tokio::test]
async fn only_a_file_that_was_handed_over_and_is_a_state_is_restored() {
    let actor = Actor::enter().await;
    actor.visit("/page", "<h1>Page</h1>").await;
    actor.run("() => localStorage.setItem('k', 'v')").await;
    let secret = actor.stage.data.path().join("secret.json");
    std::fs::write(&secret, "{\"cookies\": []}").unwrap();
    let elsewhere = json!({"filename": secret.to_str().unwrap()});
    let refused = actor.refused("browser_set_storage_state", elsewhere).await;
    assert!(refused.contains("File access denied"), "{refused}");
    for (name, contents) in [("a.json", "no json"), ("b.json", "{\"cookies\": 5}")] {
        let path = lay_out(&actor, name, contents.as_bytes()).await;
        let wrong = json!({"filename": path});
        let refused = actor.refused("browser_set_storage_state", wrong).await;
        assert!(refused.contains("Playwright"), "{refused}");
    }
    assert_eq!(
        actor.run("() => localStorage.k").await,
        "\"v\"",
        "nothing was cleared"
    );
    actor.leave().await;
}

#[tokio::test]
async fn databases_of_a_state_are_made_with_all_kinds_of_values() {
    let actor = Actor::enter().await;
    let database = json!({"name": "shop", "version": 3, "stores": [
        {"name": "plain", "autoIncrement": false, "indexes": [], "records": [
            {"key": "a", "value": {"n": 1, "__proto__x": null}},
            {"keyEncoded": {"d": "2020-01-02T03:04:05.000Z"}, "value": "dated"},
        ]},
        {"name": "keyed", "autoIncrement": false, "keyPath": "id",
         "indexes": [{"name": "by", "keyPath": "kind", "multiEntry": false, "unique": false}],
         "records": [{"valueEncoded": {"o": [
             {"k": "id", "v": 7}, {"k": "kind", "v": "x"}, {"k": "self", "v": {"ref": 1}},
             {"k": "big", "v": {"bi": "12345678901234567890"}}, {"k": "none", "v": {"v": "undefined"}},
             {"k": "bytes", "v": {"ta": {"b": "AQID", "k": "ui8"}}},
             {"k": "map", "v": {"m": [{"k": "p", "v": {"s": [1, 2], "id": 3}}], "id": 2}},
         ], "id": 1}}]},
    ]});
    let origin = actor.site.url("");
    let state = json!({"cookies": [], "origins": [{"origin": origin, "localStorage": [], "indexedDB": [database]}]});
    let path = lay_out(&actor, "state.json", state.to_string().as_bytes()).await;
    actor
        .call("browser_set_storage_state", json!({"filename": path}))
        .await;
    actor.visit("/page", "<h1>Page</h1>").await;
    let read = "async () => {
      const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
      const shop = await done(indexedDB.open('shop'));
      const from = (name) => shop.transaction(name).objectStore(name);
      const it = await done(from('keyed').index('by').get('x'));
      const dated = await done(from('plain').get(new Date('2020-01-02T03:04:05Z')));
      const plain = await done(from('plain').get('a'));
      return [shop.version, plain.n, dated, it.id, it.self === it, String(it.big), it.none === undefined,
        it.bytes.join(), [...it.map.get('p')].join()].join(' ');
    }";
    assert_eq!(
        actor.run(read).await,
        "\"3 1 dated 7 true 12345678901234567890 true 1,2,3 1,2\""
    );
    actor.leave().await;
}
