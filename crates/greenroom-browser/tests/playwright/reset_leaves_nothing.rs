//! What one holder leaves in a real Chromium, the next must not find.

use std::time::Duration;

use crate::engine::site::Site;
use crate::engine::{LONG, cwd_of, evaluate, navigate, run, start, start_chromium, text, value};
use crate::support::Stage;
use greenroom_browser::LaunchSpec;
use greenroom_browser::call::Call;
use greenroom_browser::find::BrowserKind;
use greenroom_browser::playwright::PlaywrightInstance;

const STOP: Duration = Duration::from_secs(10);

/// Leaves a canary in everything that keeps state.
const LEAVE: &str = "async () => {
    document.cookie = 'canary=1; max-age=9999';
    localStorage.canary = '1';
    sessionStorage.canary = '1';
    window.name = 'canary';
    await new Promise((done, failed) => {
        const open = indexedDB.open('canary', 1);
        open.onsuccess = done;
        open.onerror = failed;
    });
    await (await caches.open('canary')).put('/x', new Response('1'));
    await navigator.serviceWorker.register('/worker.js');
    await navigator.serviceWorker.ready;
}";

/// Everything that is found, in one list.
const FIND: &str = "async () => {
    const found = [];
    if (document.cookie) found.push('cookie');
    if (localStorage.length) found.push('local storage');
    if (sessionStorage.length) found.push('session storage');
    if (window.name) found.push('window name');
    if ((await indexedDB.databases()).length) found.push('database');
    if ((await caches.keys()).length) found.push('cache');
    if ((await navigator.serviceWorker.getRegistrations()).length) found.push('service worker');
    const state = name => navigator.permissions.query({ name }).then(status => status.state);
    if (await state('geolocation') === 'granted') found.push('permission');
    return found.join(', ');
}";

/// What a later visitor of the site finds, hidden cookies and tabs included.
async fn found(instance: &PlaywrightInstance, site: &Site) -> String {
    run(instance, navigate(&site.page("/"))).await;
    let found = value(instance, FIND).await;
    let echo = value(
        instance,
        "() => fetch('/echo').then(answer => answer.text())",
    )
    .await;
    let tabs = run(instance, Call::new("browser_tabs").with("action", "list")).await;
    assert!(
        !echo.contains("hidden=1"),
        "a hidden cookie is left: {echo}"
    );
    assert_eq!(tabs.tabs.len(), 1, "{}", text(&tabs));
    found
}

async fn leave_canaries(instance: &PlaywrightInstance, site: &Site) {
    run(instance, navigate(&site.page("/cookie"))).await;
    run(instance, navigate(&site.page("/"))).await;
    run(instance, evaluate(LEAVE)).await;
    let grant = "async page => { await page.context().grantPermissions(['geolocation']) }";
    run(
        instance,
        Call::new("browser_run_code_unsafe").with("code", grant),
    )
    .await;
    let left = value(instance, FIND).await;
    let all = "\"cookie, local storage, session storage, window name, database, cache, service worker, permission\"";
    assert_eq!(left, all, "the canaries must be there to begin with");
    run(instance, Call::new("browser_tabs").with("action", "new")).await;
}

fn spec() -> LaunchSpec {
    LaunchSpec {
        allow_run_code: true,
        ..LaunchSpec::new(BrowserKind::Chromium)
    }
}

async fn finish(instance: PlaywrightInstance, stage: Stage) {
    instance.stop(STOP).await.unwrap();
    drop(instance);
    stage.strike().await;
}

#[tokio::test]
async fn storage_workers_permissions_and_tabs_are_gone() {
    let site = Site::open().await;
    let stage = Stage::open().await;
    let instance = start(&stage, &spec()).await;
    leave_canaries(&instance, &site).await;
    instance.reset(LONG).await.unwrap();
    assert_eq!(found(&instance, &site).await, "\"\"");
    finish(instance, stage).await;
}

#[tokio::test]
async fn open_dialogs_and_pages_that_will_not_leave_are_gone() {
    let site = Site::open().await;
    let stage = Stage::open().await;
    let instance = start_chromium(&stage).await;
    for dialog in ["alert('x')", "confirm('x')", "prompt('x')"] {
        run(&instance, navigate(&site.page("/"))).await;
        let shown = run(
            &instance,
            evaluate(&format!("() => {{ localStorage.canary = 1; {dialog} }}")),
        )
        .await;
        assert!(shown.modal.is_some(), "{}", text(&shown));
        instance.reset(LONG).await.unwrap();
        assert_eq!(found(&instance, &site).await, "\"\"", "{dialog}");
    }
    run(&instance, navigate(&site.page("/hold"))).await;
    run(
        &instance,
        Call::new("browser_click").with("target", "button"),
    )
    .await;
    let held = run(&instance, navigate(&site.page("/"))).await;
    assert!(held.modal.is_some() || held.is_error, "{}", text(&held));
    instance.reset(LONG).await.unwrap();
    assert_eq!(found(&instance, &site).await, "\"\"");
    finish(instance, stage).await;
}

#[tokio::test]
async fn downloads_and_files_are_gone() {
    let site = Site::open().await;
    let stage = Stage::open().await;
    let instance = start_chromium(&stage).await;
    run(&instance, navigate(&site.page("/"))).await;
    std::fs::write(cwd_of(instance.pid()).join("upload.txt"), "a holder's own").unwrap();
    instance.reset(LONG).await.unwrap();
    assert_eq!(
        std::fs::read_dir(cwd_of(instance.pid())).unwrap().count(),
        0
    );
    finish(instance, stage).await;
}

#[tokio::test]
async fn a_profile_on_disk_belongs_to_its_instance_and_outlives_a_reset() {
    let site = Site::open().await;
    let stage = Stage::open().await;
    let profiles = tempfile::tempdir().unwrap();
    let with_profile = |name: &str| LaunchSpec {
        isolated: false,
        user_data_dir: Some(profiles.path().join(name)),
        ..LaunchSpec::new(BrowserKind::Chromium)
    };
    let instance = start(&stage, &with_profile("a")).await;
    run(&instance, navigate(&site.page("/cookie"))).await;
    instance.reset(LONG).await.unwrap();
    run(&instance, navigate(&site.page("/"))).await;
    let echo = "() => fetch('/echo').then(answer => answer.text())";
    assert!(value(&instance, echo).await.contains("hidden=1"));
    let other = start(&stage, &with_profile("b")).await;
    run(&other, navigate(&site.page("/"))).await;
    assert!(!value(&other, echo).await.contains("hidden=1"));
    other.stop(STOP).await.unwrap();
    drop(other);
    finish(instance, stage).await;
}
