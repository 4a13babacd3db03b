//! Between two holders: what one leaves, the next must not find.

use std::time::Duration;

use crate::actor::{Actor, section, text};
use crate::local::{Gate, Local, Served};
use crate::stage::{GRACE, LONG, SHELL, Stage, spec};
use greenroom_browser::call::{Call, EngineError, Reply};
use greenroom_browser::native::browser::{Fleet, FleetOptions, SharedBrowser};
use greenroom_browser::native::engine::{NativeInstance, Source};
use greenroom_browser::native::protocol::browser::GrantPermissions;
use greenroom_browser::native::protocol::target::GetBrowserContexts;
use greenroom_testkit::site::Site;
use serde_json::json;

async fn go(instance: &NativeInstance, url: &str) -> Reply {
    let call = Call::new("browser_navigate").with("url", url);
    let reply = instance.call(&call, LONG).await.unwrap();
    assert!(!reply.is_error, "{}", text(&reply));
    reply
}

async fn wait_for(instance: &NativeInstance, words: &str) {
    let call = Call::new("browser_wait_for").with("text", words);
    let reply = instance.call(&call, LONG).await.unwrap();
    assert!(!reply.is_error, "{}", text(&reply));
}

#[tokio::test]
async fn nothing_that_a_holder_left_is_found_by_the_next() {
    let stage = Stage::open().await;
    let instance = NativeInstance::start("TEST", &spec(SHELL), &stage.host)
        .await
        .unwrap();
    let site = Site::start().await;
    go(&instance, &site.url("/mark?name=first")).await;
    wait_for(&instance, "marked by first").await;
    go(&instance, &site.url("/look")).await;
    wait_for(&instance, "serviceWorker").await;
    let seen = instance
        .call(&Call::new("browser_snapshot"), LONG)
        .await
        .unwrap()
        .snapshot
        .unwrap();
    for trace in [
        "cookie",
        "localStorage",
        "sessionStorage",
        "caches",
        "indexedDB",
    ] {
        assert!(seen.contains(trace), "{trace} must be there before: {seen}");
    }
    instance.reset(LONG).await.unwrap();
    go(&instance, &site.url("/look")).await;
    wait_for(&instance, "found: nothing").await;
    instance.stop(GRACE).await.unwrap();
    drop((instance, site));
    stage.strike().await;
}

#[tokio::test]
async fn tabs_dialogs_downloads_and_laid_out_files_end_with_their_holder() {
    let actor = Actor::enter().await;
    let attachment = "attachment; filename=\"left.txt\"";
    actor.site.serve(
        "/file",
        Served::of("text/plain", "left").header("Content-Disposition", attachment),
    );
    actor.visit("/page", "<a href='/file'>get</a>").await;
    let file = actor.stage.data.path().join("source");
    tokio::fs::write(&file, "given").await.unwrap();
    let mut contents = tokio::fs::File::open(&file).await.unwrap();
    let laid_out = actor
        .instance
        .lay_out("f", "a.txt", &mut contents)
        .await
        .unwrap();
    drop(contents);
    assert_eq!(tokio::fs::read(&laid_out).await.unwrap(), b"given");
    actor
        .run("() => { document.querySelector('a').click(); }")
        .await;
    actor.call("browser_tabs", json!({"action": "new"})).await;
    actor
        .call(
            "browser_evaluate",
            json!({"function": "() => { console.error('left'); alert('left'); }"}),
        )
        .await;
    actor.instance.reset(LONG).await.unwrap();
    assert!(!laid_out.exists());
    let reply = actor.call("browser_tabs", json!({"action": "list"})).await;
    assert_eq!(
        (reply.tabs.len(), reply.tabs[0].url.as_str()),
        (1, "about:blank")
    );
    assert!(
        reply.modal.is_none() && reply.files.is_empty() && reply.console.is_empty(),
        "{}",
        text(&reply)
    );
    let requests = actor.call("browser_network_requests", json!({})).await;
    assert_eq!(section(&requests, "Result").unwrap_or_default(), "");
    let stale = actor
        .refused(
            "browser_evaluate",
            json!({"function": "(e) => 1", "target": "e2"}),
        )
        .await;
    assert!(stale.contains("e2"), "{stale}");
    actor.leave().await;
}

#[tokio::test]
async fn a_call_that_was_given_up_does_nothing_in_the_world_of_the_next_holder() {
    let actor = Actor::enter().await;
    actor.visit("/page", "<h1>Page</h1>").await;
    let never = json!({"function": "() => new Promise(() => {})"});
    let given_up = tokio::time::timeout(
        Duration::from_millis(200),
        actor.attempt("browser_evaluate", never),
    )
    .await;
    assert!(given_up.is_err());
    let waiting = actor
        .attempt_within(Duration::from_millis(300), "browser_snapshot", json!({}))
        .await;
    let waiting = waiting.unwrap_err();
    assert!(waiting.to_string().contains("still at work"), "{waiting}");
    assert!(!waiting.poisons_instance());
    actor.instance.probe(LONG).await.unwrap();
    actor.instance.page_answers(LONG).await.unwrap();
    actor.instance.reset(LONG).await.unwrap();
    assert!(actor.visit("/next", "<h1>Next</h1>").await.contains("Next"));
    actor.leave().await;
}

#[tokio::test]
async fn cookies_and_storage_of_a_state_are_there_before_the_first_page() {
    let actor = Actor::enter().await;
    let origin = actor.site.url("");
    let state = json!({
        "cookies": [{"name": "token", "value": "secret", "domain": "127.0.0.1", "path": "/", "expires": -1,
                     "httpOnly": true, "secure": false, "sameSite": "Lax"}],
        "origins": [{"origin": origin, "localStorage": [{"name": "k", "value": "v'\"</script>"}]}],
    });
    actor.instance.restore(&state, LONG).await.unwrap();
    assert!(
        actor.site.asked("").is_empty(),
        "nothing goes over the network for it"
    );
    let listed = actor.call("browser_tabs", json!({"action": "list"})).await;
    assert_eq!(listed.tabs.len(), 1);
    actor.visit("/page", "<h1>Page</h1>").await;
    assert_eq!(
        actor.run("() => localStorage.getItem('k')").await,
        "\"v'\\\"</script>\""
    );
    assert_eq!(actor.run("() => document.cookie").await, "\"\"");
    let headers = json!({"index": 1, "part": "request-headers"});
    let headers = actor.call("browser_network_request", headers).await;
    assert!(
        text(&headers).contains("cookie: token=secret"),
        "{}",
        text(&headers)
    );
    let wrong = json!({"cookies": 5});
    let refused = actor.instance.restore(&wrong, LONG).await.unwrap_err();
    assert!(matches!(refused, EngineError::Upstream { .. }), "{refused}");
    actor.instance.reset(LONG).await.unwrap();
    actor.visit("/page", "<h1>Page</h1>").await;
    assert_eq!(actor.run("() => localStorage.length").await, "0");
    actor.leave().await;
}

#[tokio::test]
async fn instances_of_one_browser_neither_see_nor_hold_each_other_up() {
    let stage = Stage::open().await;
    let options = FleetOptions {
        label: "TEST".to_owned(),
        spec: spec(SHELL),
        contexts_per_browser: 8,
        warm: 1,
    };
    let fleet = Fleet::new(options.clone(), stage.host.clone());
    let start = || NativeInstance::start_from(Source::Shared(fleet.clone()), &options.spec);
    let (one, two) = (start().await.unwrap(), start().await.unwrap());
    assert_eq!(one.pid(), two.pid());
    let site = Site::start().await;
    go(&one, &site.url("/mark?name=one")).await;
    wait_for(&one, "marked by one").await;
    let busy = Call::new("browser_evaluate").with("function", "() => { for (;;); }");
    let hang = one.call(&busy, Duration::from_secs(3));
    let work = async {
        go(&two, &site.url("/look")).await;
        wait_for(&two, "found: nothing").await;
    };
    let (hung, ()) = tokio::join!(hang, work);
    assert!(matches!(hung, Err(EngineError::Timeout { .. })), "{hung:?}");
    one.reset(LONG).await.unwrap();
    go(&one, &site.url("/look")).await;
    wait_for(&one, "found: nothing").await;
    one.stop(GRACE).await.unwrap();
    go(&two, &site.url("/named?name=still")).await;
    two.stop(GRACE).await.unwrap();
    fleet.close(GRACE).await.unwrap();
    drop((one, two, fleet, site));
    stage.strike().await;
}

#[tokio::test]
async fn a_profile_on_disk_outlives_its_holders_and_their_tabs_do_not() {
    let stage = Stage::open().await;
    let site = Site::start().await;
    let profile = tempfile::tempdir().unwrap();
    let spec = greenroom_browser::LaunchSpec {
        isolated: false,
        user_data_dir: Some(profile.path().to_owned()),
        ..spec(SHELL)
    };
    let instance = NativeInstance::start("TEST", &spec, &stage.host)
        .await
        .unwrap();
    go(&instance, &site.url("/mark?name=first")).await;
    wait_for(&instance, "marked by first").await;
    let second = Call::new("browser_tabs").with("action", "new");
    instance.call(&second, LONG).await.unwrap();
    instance.reset(LONG).await.unwrap();
    let listed = instance
        .call(&Call::new("browser_tabs").with("action", "list"), LONG)
        .await
        .unwrap();
    assert_eq!(listed.tabs.len(), 1, "{:?}", listed.tabs);
    go(&instance, &site.url("/look")).await;
    wait_for(&instance, "found: cookie").await;
    instance.stop(GRACE).await.unwrap();
    drop(instance);
    let again = NativeInstance::start("TEST", &spec, &stage.host)
        .await
        .unwrap();
    go(&again, &site.url("/look")).await;
    wait_for(&again, "found: cookie").await;
    again.stop(GRACE).await.unwrap();
    drop((again, site));
    stage.strike().await;
}

#[tokio::test]
async fn every_fresh_world_begins_with_the_configured_state() {
    let stage = Stage::open().await;
    let site = Site::start().await;
    let path = stage.data.path().join("state.json");
    let cookie = json!({"name": "canary", "value": "1", "url": site.url("/")});
    let state = json!({"cookies": [cookie]}).to_string();
    tokio::fs::write(&path, state).await.unwrap();
    let with_state = greenroom_browser::LaunchSpec {
        storage_state: Some(path.clone()),
        ..spec(SHELL)
    };
    let instance = NativeInstance::start("TEST", &with_state, &stage.host)
        .await
        .unwrap();
    for _ in 0..2 {
        go(&instance, &site.url("/look")).await;
        wait_for(&instance, "found: cookie").await;
        instance.reset(LONG).await.unwrap();
    }
    instance.stop(GRACE).await.unwrap();
    drop(instance);
    tokio::fs::write(&path, "{").await.unwrap();
    let wrong = NativeInstance::start("TEST", &with_state, &stage.host)
        .await
        .unwrap_err();
    assert!(wrong.to_string().contains("STORAGE_STATE"), "{wrong}");
    drop(site);
    stage.strike().await;
}

#[tokio::test]
async fn a_permission_and_a_download_of_one_holder_are_gone_for_the_next() {
    let stage = Stage::open().await;
    let browser = SharedBrowser::start("TEST", &spec(SHELL), &stage.host, 1)
        .await
        .unwrap();
    let source = Source::Own(browser.clone());
    let instance = NativeInstance::start_from(source, &spec(SHELL))
        .await
        .unwrap();
    let (site, local, gate) = (Site::start().await, Local::start().await, Gate::closed());
    let contexts = browser.session().call(GetBrowserContexts {}).await.unwrap();
    let grant = GrantPermissions {
        permissions: vec!["geolocation".to_owned()],
        origin: None,
        browser_context_id: contexts.browser_context_ids.into_iter().next(),
    };
    browser.session().call(grant).await.unwrap();
    go(&instance, &site.url("/look")).await;
    wait_for(&instance, "found: permission geolocation").await;

    let file = Served::of("application/octet-stream", LEFT).behind(&gate);
    local.serve("/file", file.header("Content-Disposition", "attachment"));
    go(
        &instance,
        &local.page("/page", "<a href='/file' download>get</a>"),
    )
    .await;
    // Begun by a timer, so that no answer waits for it and takes the file.
    let get = "() => { setTimeout(() => document.querySelector('a').click()); }";
    let get = Call::new("browser_evaluate").with("function", get);
    instance.call(&get, LONG).await.unwrap();
    local.visited("GET /file").await;
    gate.open();
    let data = stage.data.path().to_owned();
    crate::stage::eventually("the download is on disk", || holds(&data, LEFT)).await;

    instance.reset(LONG).await.unwrap();
    assert!(!holds(&data, LEFT), "the download must be gone");
    go(&instance, &site.url("/look")).await;
    wait_for(&instance, "found: nothing").await;
    instance.stop(GRACE).await.unwrap();
    drop((instance, browser, site, local));
    stage.strike().await;
}

const LEFT: &str = "what the first holder has downloaded";

/// Whether a file somewhere below consists of this.
fn holds(directory: &std::path::Path, contents: &str) -> bool {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => holds(&entry.path(), contents),
        Ok(kind) if kind.is_file() => {
            std::fs::read(entry.path()).is_ok_and(|bytes| bytes == contents.as_bytes())
        }
        _ => false,
    })
}
