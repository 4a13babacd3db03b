//! What the engine says to browsers, said to a real one: each command is understood, and each
//! event and reply is read.

use std::sync::Arc;

use crate::stage::{GRACE, LONG, Stage, shared, value, visit};
use greenroom_browser::native::browser::{SharedBrowser, World};
use greenroom_browser::native::conn::{Events, Session};
use greenroom_browser::native::protocol::dom::{self, GetContentQuads, SetFileInputFiles};
use greenroom_browser::native::protocol::emulation::{self, MediaFeature, SetEmulatedMedia};
use greenroom_browser::native::protocol::input::{
    DispatchDragEvent, DispatchKeyEvent, DispatchMouseEvent, DragEventKind, DragIntercepted,
    InsertText, KeyEventKind, MouseButton, MouseEventKind, SetIgnoreInputEvents, SetInterceptDrags,
};
use greenroom_browser::native::protocol::log::EntryAdded;
use greenroom_browser::native::protocol::network::{self, CookieParam};
use greenroom_browser::native::protocol::page::{self, Clip, ImageFormat, Rect};
use greenroom_browser::native::protocol::runtime::{
    self, CallArgument, CallFunctionOn, ConsoleApiCalled, Evaluate, ExceptionThrown,
};
use greenroom_browser::native::protocol::{Event, browser, storage};
use greenroom_testkit::site::Site;
use tokio::time::timeout;

/// A world with a page from a site of its own.
struct Scene {
    stage: Stage,
    browser: Arc<SharedBrowser>,
    world: World,
    site: Site,
}

impl Scene {
    async fn open(html: &str) -> Self {
        let stage = Stage::open().await;
        let site = Site::start().await;
        let browser = shared(&stage, 2).await;
        let world = browser.world(LONG).await.unwrap();
        // A new page hears of no input, which the hands of the engine see to and these tests not.
        let listen = SetIgnoreInputEvents { ignore: false };
        world.page().call(listen).await.unwrap();
        visit(world.page(), &site.url("/")).await;
        let frame_id = world.first.frames.frame.id.clone();
        let html = format!("<!doctype html><body style='margin:0'>{html}");
        let content = page::SetDocumentContent { frame_id, html };
        world.page().call(content).await.unwrap();
        Self {
            stage,
            browser,
            world,
            site,
        }
    }

    fn page(&self) -> &Session {
        self.world.page()
    }

    async fn close(self) {
        self.world.dispose(LONG).await.unwrap();
        self.browser.stop(GRACE).await.unwrap();
        drop((self.browser, self.site));
        self.stage.strike().await;
    }
}

async fn next<E: Event>(events: &mut Events) -> E {
    let found = timeout(LONG, events.find(|event: E| Some(event))).await;
    let found = found.unwrap_or_else(|_| panic!("{} never came", E::METHOD));
    found.expect("the page is gone")
}

fn mouse(kind: MouseEventKind, x: f64, y: f64) -> DispatchMouseEvent {
    let down = kind != MouseEventKind::MouseMoved;
    DispatchMouseEvent {
        kind,
        x,
        y,
        button: if down {
            MouseButton::Left
        } else {
            MouseButton::None
        },
        buttons: 1,
        click_count: Some(1),
        ..DispatchMouseEvent::default()
    }
}

async fn click(page: &Session, x: f64, y: f64) {
    for kind in [MouseEventKind::MousePressed, MouseEventKind::MouseReleased] {
        page.call(mouse(kind, x, y)).await.unwrap();
    }
}

#[tokio::test]
async fn pages_are_navigated_and_tell_of_it() {
    let scene = Scene::open("").await;
    let page = scene.page();
    let mut events = page.events();
    visit(page, &scene.site.url("/named?name=one")).await;
    let navigated: page::FrameNavigated = next(&mut events).await;
    assert!(navigated.frame.url.ends_with("/named?name=one"));
    value::<String>(page, "location.hash = 'part'").await;
    let within: page::NavigatedWithinDocument = next(&mut events).await;
    assert!(within.url.ends_with("#part"));
    let history = page.call(page::GetNavigationHistory {}).await.unwrap();
    let entry_id = history.entries[0].id;
    page.call(page::NavigateToHistoryEntry { entry_id })
        .await
        .unwrap();
    next::<page::FrameNavigated>(&mut events).await;
    next::<page::LoadEventFired>(&mut events).await;
    page.call(page::Reload::default()).await.unwrap();
    next::<page::LoadEventFired>(&mut events).await;
    let url = "http://127.0.0.1:1/".to_owned();
    let refused = page::Navigate {
        url,
        ..page::Navigate::default()
    };
    let refused = page.call(refused).await.unwrap();
    assert!(refused.error_text.unwrap().starts_with("net::ERR_"));
    let tree = page.call(page::GetFrameTree {}).await.unwrap().frame_tree;
    assert!(tree.frame.unreachable_url.is_some());
    scene.close().await;
}

#[tokio::test]
async fn scripts_run_in_worlds_of_their_own_and_hold_objects() {
    let scene = Scene::open("<p id=a>text</p>").await;
    let page = scene.page();
    let frame_id = scene.world.first.frames.frame.id.clone();
    let isolated = page::CreateIsolatedWorld {
        frame_id,
        world_name: Some("ours".into()),
        grant_univeral_access: None,
    };
    let context = page.call(isolated).await.unwrap().execution_context_id;
    value::<u32>(page, "window.seen = 1").await;
    let in_ours = Evaluate {
        context_id: Some(context),
        ..Evaluate::value_of("typeof seen")
    };
    let kind = page.call(in_ours).await.unwrap().result;
    assert_eq!(kind.read::<String>().unwrap(), "undefined");
    let element = Evaluate {
        expression: "document.getElementById('a')".into(),
        context_id: Some(context),
        object_group: Some("group".into()),
        ..Evaluate::default()
    };
    let object_id = page.call(element).await.unwrap().result.object_id.unwrap();
    let called = CallFunctionOn {
        function_declaration: "function (a, b, c) { return [this.textContent, a, b, c === this]; }"
            .into(),
        object_id: Some(object_id.clone()),
        arguments: Some(vec![
            CallArgument::Value("x".into()),
            CallArgument::UnserializableValue("-0".into()),
            CallArgument::ObjectId(object_id.clone()),
        ]),
        return_by_value: Some(true),
        ..CallFunctionOn::default()
    };
    let given: (String, String, f64, bool) =
        page.call(called).await.unwrap().result.read().unwrap();
    assert_eq!(given, ("text".into(), "x".into(), 0.0, true));
    let quads = GetContentQuads {
        object_id: Some(object_id.clone()),
        ..GetContentQuads::default()
    };
    assert_eq!(page.call(quads).await.unwrap().quads[0].len(), 8);
    let node = dom::DescribeNode {
        object_id: Some(object_id),
        ..dom::DescribeNode::default()
    };
    assert_eq!(page.call(node).await.unwrap().node.node_name, "P");
    let group = runtime::ReleaseObjectGroup {
        object_group: "group".into(),
    };
    page.call(group).await.unwrap();
    let thrown = page.call(Evaluate::value_of("null.x")).await.unwrap();
    assert!(
        thrown
            .exception_details
            .unwrap()
            .message()
            .contains("TypeError")
    );
    let lone: String = value(page, "'a\\ud800b'").await;
    assert_eq!(lone, "a\u{fffd}b");
    scene.close().await;
}

#[tokio::test]
async fn consoles_exceptions_and_the_browser_itself_are_heard() {
    let scene = Scene::open("").await;
    let page = scene.page();
    let mut events = page.events();
    value::<()>(
        page,
        "console.warn('careful', 5); setTimeout(() => { throw new Error('late') }); null",
    )
    .await;
    let said: ConsoleApiCalled = next(&mut events).await;
    assert_eq!((said.kind.as_str(), said.args.len()), ("warning", 2));
    let thrown: ExceptionThrown = next(&mut events).await;
    assert!(
        thrown
            .exception_details
            .message()
            .starts_with("Error: late")
    );
    let missing = "fetch('http://127.0.0.1:1/x').catch(() => 0)";
    value::<u32>(page, missing).await;
    let entry: EntryAdded = next(&mut events).await;
    assert_eq!(
        (entry.entry.source.as_str(), entry.entry.level.as_str()),
        ("network", "error")
    );
    scene.close().await;
}

#[tokio::test]
async fn requests_are_told_with_their_answers_and_bodies() {
    let scene = Scene::open("").await;
    let page = scene.page();
    let mut events = page.events();
    let url = scene.site.url("/named?name=body");
    let post = format!("fetch('{url}', {{method: 'POST', body: 'sent'}}).then(r => r.text())");
    let text: String = value(page, &post).await;
    let asked: network::RequestWillBeSent = next(&mut events).await;
    assert_eq!(
        (asked.request.url, asked.request.method),
        (url, "POST".into())
    );
    let answered: network::ResponseReceived = next(&mut events).await;
    assert_eq!(
        (answered.response.status, answered.kind.as_str()),
        (200, "Fetch")
    );
    next::<network::LoadingFinished>(&mut events).await;
    let request_id = asked.request_id;
    let body = network::GetResponseBody {
        request_id: request_id.clone(),
    };
    assert_eq!(page.call(body).await.unwrap().body, text);
    let sent = network::GetRequestPostData { request_id };
    assert_eq!(page.call(sent).await.unwrap().post_data, "sent");
    scene.close().await;
}

#[tokio::test]
async fn mouse_keyboard_and_drags_reach_the_page() {
    let html = "<input id=i style='position:absolute;left:0;top:0;width:100px;height:20px'>
        <div id=d draggable=true style='position:absolute;left:0;top:50px;width:50px;height:50px'
            ondragstart=\"event.dataTransfer.setData('text/plain', 'load')\">x</div>
        <div id=t style='position:absolute;left:200px;top:50px;width:50px;height:50px'
            ondragover='event.preventDefault()'
            ondrop=\"window.dropped = event.dataTransfer.getData('text/plain')\">y</div>";
    let scene = Scene::open(html).await;
    let page = scene.page();
    let mut events = page.events();
    click(page, 20.0, 10.0).await;
    let key = |kind| DispatchKeyEvent {
        kind,
        key: Some("a".into()),
        code: Some("KeyA".into()),
        text: (kind == KeyEventKind::KeyDown).then(|| "a".into()),
        windows_virtual_key_code: Some(65),
        ..DispatchKeyEvent::default()
    };
    page.call(key(KeyEventKind::KeyDown)).await.unwrap();
    page.call(key(KeyEventKind::KeyUp)).await.unwrap();
    page.call(InsertText { text: "bc".into() }).await.unwrap();
    assert_eq!(
        value::<String>(page, "document.getElementById('i').value").await,
        "abc"
    );
    page.call(SetInterceptDrags { enabled: true })
        .await
        .unwrap();
    page.call(mouse(MouseEventKind::MousePressed, 20.0, 70.0))
        .await
        .unwrap();
    let moved = |x| DispatchMouseEvent {
        button: MouseButton::Left,
        ..mouse(MouseEventKind::MouseMoved, x, 75.0)
    };
    // The page answers the move that begins a drag only with the drag itself.
    let (_, _, drag) = tokio::join!(
        page.call(moved(30.0)),
        page.call(moved(60.0)),
        next::<DragIntercepted>(&mut events),
    );
    for kind in [
        DragEventKind::DragEnter,
        DragEventKind::DragOver,
        DragEventKind::Drop,
    ] {
        let data = drag.data.clone();
        let over = DispatchDragEvent {
            kind,
            x: 220.0,
            y: 70.0,
            data,
            modifiers: 0,
        };
        page.call(over).await.unwrap();
    }
    page.call(mouse(MouseEventKind::MouseReleased, 220.0, 70.0))
        .await
        .unwrap();
    assert_eq!(value::<String>(page, "window.dropped").await, "load");
    scene.close().await;
}

#[tokio::test]
async fn files_dialogs_and_downloads_are_told_of_and_never_waited_for() {
    let html =
        "<input type=file id=f style='position:absolute;left:0;top:0;width:200px;height:30px'>";
    let scene = Scene::open(html).await;
    let page = scene.page();
    let mut events = page.events();
    let intercept = page::SetInterceptFileChooserDialog {
        enabled: true,
        cancel: None,
    };
    page.call(intercept).await.unwrap();
    click(page, 20.0, 10.0).await;
    let chooser: page::FileChooserOpened = next(&mut events).await;
    let file = scene.stage.data.path().join("upload.txt");
    std::fs::write(&file, "content").unwrap();
    let files = SetFileInputFiles {
        files: vec![file.to_string_lossy().into_owned()],
        backend_node_id: chooser.backend_node_id,
        object_id: None,
    };
    page.call(files).await.unwrap();
    let read = "document.getElementById('f').files[0].text()";
    assert_eq!(value::<String>(page, read).await, "content");

    let asking = page.call(Evaluate::value_of("prompt('name?', 'nobody')"));
    let answering = async {
        let dialog: page::JavascriptDialogOpening = next(&mut events).await;
        assert_eq!(
            (dialog.kind.as_str(), dialog.default_prompt.as_str()),
            ("prompt", "nobody")
        );
        let answer = page::HandleJavaScriptDialog {
            accept: true,
            prompt_text: Some("me".into()),
        };
        page.call(answer).await.unwrap();
    };
    let (asked, ()) = tokio::join!(asking, answering);
    assert_eq!(asked.unwrap().result.read::<String>().unwrap(), "me");

    let save = "const a = document.createElement('a'); a.download = '../../etc/name.txt';
        a.href = 'data:text/plain,saved'; a.click()";
    value::<()>(page, save).await;
    let begun: page::DownloadWillBegin = next(&mut events).await;
    let finished = events
        .find(|told: page::DownloadProgress| (told.state == "completed").then_some(told.guid));
    let guid = timeout(LONG, finished).await.unwrap().unwrap();
    assert_eq!(guid, begun.guid);
    let downloads = scene.world.downloads().unwrap().to_owned();
    assert_eq!(
        std::fs::read_to_string(downloads.join(&guid)).unwrap(),
        "saved"
    );
    scene.close().await;
    assert!(!downloads.exists(), "downloads go with their world");
}

#[tokio::test]
async fn pictures_are_taken_of_the_whole_of_a_part_and_on_paper() {
    let scene = Scene::open("<div style='height:3000px;background:red'></div>").await;
    let page = scene.page();
    let whole = page
        .call(page::CaptureScreenshot::default())
        .await
        .unwrap()
        .data;
    assert!(whole.starts_with("iVBOR"), "a PNG");
    let part = page::CaptureScreenshot {
        format: Some(ImageFormat::Jpeg),
        quality: Some(60),
        clip: Some(Clip {
            rect: Rect {
                x: 0.0,
                y: 2000.0,
                width: 50.0,
                height: 50.0,
            },
            scale: 1.0,
        }),
        capture_beyond_viewport: Some(true),
        ..page::CaptureScreenshot::default()
    };
    assert!(
        page.call(part).await.unwrap().data.starts_with("/9j/"),
        "a JPEG"
    );
    let metrics = page.call(page::GetLayoutMetrics {}).await.unwrap();
    assert!((metrics.css_content_size.height - 3000.0).abs() < 1.0);
    let paper = page::PrintToPdf {
        print_background: Some(true),
        ..page::PrintToPdf::default()
    };
    assert!(
        page.call(paper).await.unwrap().data.starts_with("JVBERi"),
        "a PDF"
    );
    scene.close().await;
}

#[tokio::test]
async fn a_page_believes_what_it_is_made_to_believe() {
    let scene = Scene::open("").await;
    let page = scene.page();
    let media = SetEmulatedMedia {
        media: Some("print".into()),
        features: Some(vec![MediaFeature {
            name: "prefers-color-scheme".into(),
            value: "dark".into(),
        }]),
    };
    page.call(media).await.unwrap();
    let size = emulation::SetDeviceMetricsOverride {
        width: 400,
        height: 300,
        ..emulation::SetDeviceMetricsOverride::default()
    };
    page.call(size).await.unwrap();
    let agent = emulation::SetUserAgentOverride {
        user_agent: "Other/2".into(),
        ..emulation::SetUserAgentOverride::default()
    };
    page.call(agent).await.unwrap();
    let zone = emulation::SetTimezoneOverride {
        timezone_id: "Asia/Tokyo".into(),
    };
    page.call(zone).await.unwrap();
    let script = "[matchMedia('print').matches, matchMedia('(prefers-color-scheme: dark)').matches,
        innerWidth, navigator.userAgent, Intl.DateTimeFormat().resolvedOptions().timeZone, document.hasFocus()]";
    let believed: (bool, bool, u32, String, String, bool) = value(page, script).await;
    let expected = (true, true, 400, "Other/2".into(), "Asia/Tokyo".into(), true);
    assert_eq!(believed, expected);
    scene.close().await;
}

#[tokio::test]
async fn cookies_storage_and_permissions_belong_to_the_world() {
    let scene = Scene::open("").await;
    let page = scene.page();
    let browser = scene.browser.session();
    let context = scene.world.context().cloned();
    let cookie = CookieParam {
        name: "hidden".into(),
        value: "1".into(),
        url: Some(scene.site.url("/")),
        http_only: Some(true),
        same_site: Some(network::SameSite::Lax),
        ..CookieParam::default()
    };
    let set = storage::SetCookies {
        cookies: vec![cookie],
        browser_context_id: context.clone(),
    };
    browser.call(set).await.unwrap();
    let get = storage::GetCookies {
        browser_context_id: context.clone(),
    };
    let cookies = browser.call(get).await.unwrap().cookies;
    assert_eq!(cookies.len(), 1);
    assert!(cookies[0].http_only && cookies[0].same_site == Some(network::SameSite::Lax));
    value::<u32>(page, "localStorage.a = 1").await;
    let clear = storage::ClearDataForOrigin {
        origin: scene.site.url(""),
        storage_types: "all".into(),
    };
    page.call(clear).await.unwrap();
    // The page has a copy of its storage, which is told of the change a little later.
    let empty = "new Promise(done => { const look = () =>
        localStorage.length ? setTimeout(look) : done(true); look(); })";
    assert!(value::<bool>(page, empty).await);
    let grant = browser::GrantPermissions {
        permissions: vec!["geolocation".into()],
        browser_context_id: context.clone(),
        origin: None,
    };
    let state = "navigator.permissions.query({name: 'geolocation'}).then(p => p.state)";
    browser.call(grant).await.unwrap();
    assert_eq!(value::<String>(page, state).await, "granted");
    let reset = browser::ResetPermissions {
        browser_context_id: context,
    };
    browser.call(reset).await.unwrap();
    assert_ne!(value::<String>(page, state).await, "granted");
    scene.close().await;
}
