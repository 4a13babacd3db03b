//! Actions on real pages: what a page sees of a keyboard and a mouse, and what becomes of forms.

use std::sync::Arc;

use crate::stage::{GRACE, LONG, Stage, shared, value, visit};
use greenroom_browser::native::Deadline;
use greenroom_browser::native::actions::{self, FieldKind, Subject};
use greenroom_browser::native::browser::{Place, SharedBrowser};
use greenroom_browser::native::input::{Button, Clicks, Modifier, Point};
use greenroom_browser::native::page::{DocumentNumbers, Element, Page};
use greenroom_browser::native::protocol::network::CookieParam;
use greenroom_browser::native::protocol::page::{
    HandleJavaScriptDialog, ImageFormat, SetDocumentContent,
};
use greenroom_testkit::site::Site;
use serde_json::Map;

/// A page that notes the events that it gets.
struct Scene {
    stage: Stage,
    browser: Arc<SharedBrowser>,
    place: Place,
    page: Page,
    site: Site,
}

const NOTES: &str = "<script>window.seen = [];
    const note = (e) => seen.push([e.type, e.key ?? e.button, e.isTrusted, e.ctrlKey, e.shiftKey].join());
    for (const kind of ['keydown', 'keyup', 'mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu'])
        addEventListener(kind, note, true);</script>";

impl Scene {
    async fn open(html: &str) -> Self {
        let stage = Stage::open().await;
        let site = Site::start().await;
        let browser = shared(&stage, 2).await;
        let world = browser.world(LONG).await.unwrap();
        visit(world.page(), &site.url("/")).await;
        let frame_id = world.first.frames.frame.id.clone();
        let html = format!("<!doctype html><body style='margin:0'>{html}{NOTES}");
        let content = SetDocumentContent { frame_id, html };
        world.page().call(content).await.unwrap();
        let (place, tab, _) = world.into_parts();
        let page = Page::follow(tab, DocumentNumbers::default());
        Self {
            stage,
            browser,
            place,
            page,
            site,
        }
    }

    async fn find(&self, target: &str) -> Element {
        self.page.find(target, soon()).await.unwrap()
    }

    async fn read(&self, script: &str) -> String {
        value(self.page.session(), script).await
    }

    async fn close(self) {
        drop(self.page);
        self.place.dispose(LONG).await.unwrap();
        self.browser.stop(GRACE).await.unwrap();
        drop((self.browser, self.site));
        self.stage.strike().await;
    }
}

fn soon() -> Deadline {
    Deadline::after(LONG)
}

#[tokio::test]
async fn a_click_is_seen_as_a_person_would_make_it() {
    let scene = Scene::open("<button id=b>Save</button>").await;
    let button = scene.find("#b").await;
    let plain = Clicks::default();
    let done = actions::click(&button, &plain, soon()).await.unwrap();
    assert_eq!(
        done.code,
        ["await page.getByRole('button', { name: 'Save' }).click();"]
    );
    let seen = scene.read("seen.splice(0).join(' ')").await;
    assert_eq!(
        seen,
        "mousedown,0,true,false,false mouseup,0,true,false,false click,0,true,false,false"
    );
    let double = Clicks {
        count: 2,
        modifiers: vec![Modifier::Shift],
        ..Clicks::default()
    };
    let done = actions::click(&button, &double, soon()).await.unwrap();
    assert!(done.code[0].ends_with(".dblclick({\n  modifiers: ['Shift']\n});"));
    let seen = scene
        .read("seen.splice(0).map(e => e.split(',')[0]).join()")
        .await;
    assert_eq!(
        seen,
        "keydown,mousedown,mouseup,click,mousedown,mouseup,click,dblclick,keyup"
    );
    let right = Clicks {
        button: Button::Right,
        ..Clicks::default()
    };
    actions::mouse_click(
        &scene.page,
        Point { x: 5.0, y: 5.0 },
        &right,
        &Map::new(),
        soon(),
    )
    .await
    .unwrap();
    assert!(
        scene
            .read("seen.join(' ')")
            .await
            .contains("contextmenu,2,true")
    );
    scene.close().await;
}

#[tokio::test]
async fn a_click_that_opens_a_dialog_is_done_at_once() {
    let scene = Scene::open("<button id=b onclick=\"alert('x')\">Ask</button>").await;
    let button = scene.find("#b").await;
    actions::click(&button, &Clicks::default(), soon())
        .await
        .unwrap();
    let answer = HandleJavaScriptDialog {
        accept: true,
        prompt_text: None,
    };
    scene.page.session().call(answer).await.unwrap();
    assert_eq!(scene.read("'goes on'").await, "goes on");
    scene.close().await;
}

#[tokio::test]
async fn an_element_that_is_covered_names_its_cover() {
    let html = "<button id=b>Go</button><div id=over style='position:fixed;inset:0'></div>";
    let scene = Scene::open(html).await;
    let button = scene.find("#b").await;
    let short = Deadline::after(std::time::Duration::from_secs(2));
    let error = actions::click(&button, &Clicks::default(), short).await;
    let told = error.unwrap_err().to_string();
    assert!(
        told.contains("<div id=\"over\"></div> is in the way"),
        "{told}"
    );
    assert!(told.starts_with("TimeoutError: click: Timeout "), "{told}");
    scene.close().await;
}

#[tokio::test]
async fn text_is_filled_typed_cleared_and_edited_with_keys() {
    let html = "<input id=i value=old><div id=e contenteditable>rich</div>";
    let scene = Scene::open(html).await;
    let field = scene.find("#i").await;
    let done = actions::fill(&field, "it's", soon()).await.unwrap();
    assert!(
        done.code[0].ends_with(r".fill('it\'s');"),
        "{:?}",
        done.code
    );
    assert_eq!(scene.read("i.value").await, "it's");
    actions::press_sequentially(&field, "Aé!", soon())
        .await
        .unwrap();
    assert_eq!(scene.read("i.value").await, "it'sAé!");
    let keys =
        scene.read("seen.filter(e => e.startsWith('keydown')).map(e => e.split(',')[1]).join(' ')");
    assert_eq!(keys.await, "A !");
    actions::press_key(&scene.page, "Control+a", soon())
        .await
        .unwrap();
    actions::press_key(&scene.page, "x", soon()).await.unwrap();
    assert_eq!(scene.read("i.value").await, "x");
    actions::fill(&field, "", soon()).await.unwrap();
    assert_eq!(scene.read("i.value").await, "");
    let editor = scene.find("#e").await;
    actions::fill(&editor, "new", soon()).await.unwrap();
    assert_eq!(scene.read("e.innerText").await, "new");
    let unknown = actions::press_key(&scene.page, "Nope", soon()).await;
    assert!(
        unknown
            .unwrap_err()
            .to_string()
            .starts_with("Unknown key: \"Nope\"")
    );
    scene.close().await;
}

#[tokio::test]
async fn the_fields_of_a_form_take_their_values() {
    let html = "<input type=checkbox id=c checked><input type=radio id=r name=n>
        <select id=s><option value=r>Red<option value=b>Blue</select>
        <input type=range id=g min=0 max=10>";
    let scene = Scene::open(html).await;
    for (target, kind, text) in [
        ("#c", FieldKind::Checkbox, "false"),
        ("#r", FieldKind::Radio, "true"),
        ("#s", FieldKind::Combobox, "Blue"),
        ("#g", FieldKind::Slider, "7"),
    ] {
        let field = scene.find(target).await;
        actions::fill_field(&field, kind, text, soon())
            .await
            .unwrap();
    }
    let state = "[c.checked, r.checked, s.value, g.value].join()";
    assert_eq!(scene.read(state).await, "false,true,b,7");
    let select = scene.find("#s").await;
    let missing = actions::select_option(&select, &["zz"], soon()).await;
    assert!(
        missing
            .unwrap_err()
            .to_string()
            .contains("It has \"Red\", \"Blue\".")
    );
    let radio = scene.find("#r").await;
    let unchecked = actions::set_checked(&radio, false, soon()).await;
    assert!(
        unchecked
            .unwrap_err()
            .to_string()
            .contains("cannot be unchecked")
    );
    scene.close().await;
}

#[tokio::test]
async fn the_window_takes_its_size_and_the_mouse_its_place() {
    let scene = Scene::open("<div style='height:3000px'></div>").await;
    actions::resize(&scene.page, 500, 400, soon())
        .await
        .unwrap();
    assert_eq!(
        scene.read("[innerWidth, innerHeight].join()").await,
        "500,400"
    );
    let scrolled = "new Promise(done => addEventListener('scroll', () => done(String(scrollY > 0)), {once: true}))";
    actions::mouse_move(&scene.page, Point { x: 50.0, y: 50.0 }, soon())
        .await
        .unwrap();
    let (scrolled, turned) = tokio::join!(
        scene.read(scrolled),
        actions::mouse_wheel(&scene.page, Point { x: 0.0, y: 200.0 }, soon()),
    );
    turned.unwrap();
    assert_eq!(scrolled, "true");
    actions::mouse_down(&scene.page, Button::Left, &Map::new(), soon())
        .await
        .unwrap();
    actions::mouse_up(&scene.page, Button::Left, &Map::new(), soon())
        .await
        .unwrap();
    assert!(
        scene
            .read("seen.join(' ')")
            .await
            .contains("mouseup,0,true")
    );
    scene.close().await;
}

#[tokio::test]
async fn what_is_dragged_arrives_and_so_does_what_is_dropped_from_outside() {
    let html = "<div id=d draggable=true style='width:80px;height:40px'
            ondragstart=\"event.dataTransfer.setData('text/plain', 'load')\">drag</div>
        <div id=m style='width:80px;height:40px'>plain</div>
        <div id=t style='width:80px;height:80px' ondragover='event.preventDefault()'
            ondrop=\"event.preventDefault(); window.got = [event.isTrusted,
                event.dataTransfer.getData('text/plain'), event.dataTransfer.files[0]?.name].join()\">target</div>";
    let scene = Scene::open(html).await;
    let target = scene.find("#t").await;
    let done = actions::drag(&scene.find("#d").await, &target, soon())
        .await
        .unwrap();
    assert!(done.code[0].contains(".dragTo(page."));
    assert_eq!(scene.read("window.got").await, "true,load,");
    scene.read("String(seen.splice(0))").await;
    actions::drag(&scene.find("#m").await, &target, soon())
        .await
        .unwrap();
    assert_eq!(
        scene
            .read("seen.map(e => e.split(',')[0]).slice(0, 2).join()")
            .await,
        "mousedown,mouseup"
    );
    let data = serde_json::json!({"text/plain": "hello"});
    actions::drop(&target, &[], data.as_object().unwrap(), soon())
        .await
        .unwrap();
    assert_eq!(scene.read("window.got").await, "true,hello,");
    let file = scene.stage.data.path().join("note.txt");
    std::fs::write(&file, "x").unwrap();
    let paths = [file.to_string_lossy().into_owned()];
    actions::drop(&target, &paths, &serde_json::Map::new(), soon())
        .await
        .unwrap();
    assert_eq!(scene.read("window.got").await, "true,,note.txt");
    scene.close().await;
}

/// The size of a PNG, which its header tells (in base64).
async fn size_of(scene: &Scene, png: &str) -> String {
    let script = format!(
        "new Promise(done => {{ const i = new Image(); i.onload = () =>
        done(i.naturalWidth + 'x' + i.naturalHeight); i.src = 'data:image/png;base64,{png}'; }})"
    );
    scene.read(&script).await
}

#[tokio::test]
async fn pictures_have_the_size_of_what_they_show() {
    let html = "<div style='height:2000px'></div><div id=e style='width:120px;height:60px;background:red'></div>";
    let scene = Scene::open(html).await;
    let png = ImageFormat::Png;
    let seen = actions::screenshot(&scene.page, Subject::Viewport, png, soon())
        .await
        .unwrap();
    assert_eq!(size_of(&scene, &seen.data).await, "1280x720");
    let whole = actions::screenshot(&scene.page, Subject::FullPage, png, soon())
        .await
        .unwrap();
    assert_eq!(size_of(&scene, &whole.data).await, "1280x2060");
    let element = scene.find("#e").await;
    let part = actions::screenshot(&scene.page, Subject::Element(&element), png, soon())
        .await
        .unwrap();
    assert_eq!(size_of(&scene, &part.data).await, "120x60");
    let jpeg = actions::screenshot(&scene.page, Subject::Viewport, ImageFormat::Jpeg, soon())
        .await
        .unwrap();
    assert!(jpeg.data.starts_with("/9j/"), "a JPEG");
    assert!(
        actions::pdf(&scene.page, soon())
            .await
            .unwrap()
            .starts_with("JVBERi"),
        "a PDF"
    );
    scene.close().await;
}

#[tokio::test]
async fn media_features_stay_until_they_are_taken_back() {
    let scene = Scene::open("").await;
    let dark = [("colorScheme", Some("dark")), ("media", Some("print"))];
    let done = actions::emulate_media(&scene.page, &dark, soon())
        .await
        .unwrap();
    assert_eq!(
        done.code,
        ["await page.emulateMedia({ colorScheme: 'dark', media: 'print' });"]
    );
    let believed =
        "[matchMedia('(prefers-color-scheme: dark)').matches, matchMedia('print').matches,
        matchMedia('(prefers-reduced-motion: reduce)').matches].join()";
    let still = [("reducedMotion", Some("reduce"))];
    actions::emulate_media(&scene.page, &still, soon())
        .await
        .unwrap();
    assert_eq!(scene.read(believed).await, "true,true,true");
    actions::emulate_media(&scene.page, &[("colorScheme", None)], soon())
        .await
        .unwrap();
    assert_eq!(scene.read(believed).await, "false,true,true");
    scene.close().await;
}

#[tokio::test]
async fn cookies_are_set_told_and_removed() {
    let scene = Scene::open("").await;
    let jar = actions::Jar {
        browser: scene.browser.session().clone(),
        context: scene.place.context().cloned(),
    };
    let host = scene.read("location.hostname").await;
    for (name, http_only) in [("a", false), ("b", true)] {
        let cookie = CookieParam {
            name: name.into(),
            value: "1".into(),
            domain: Some(host.clone()),
            path: Some("/".into()),
            http_only: Some(http_only),
            ..CookieParam::default()
        };
        actions::cookie_set(&jar, cookie, soon()).await.unwrap();
    }
    let list = async || {
        let done = actions::cookie_list(&jar, None, None, soon()).await;
        done.unwrap().result.unwrap()
    };
    let mut told: Vec<_> = list().await.lines().map(str::to_owned).collect();
    told.sort();
    assert_eq!(
        told,
        [
            format!("a=1 (domain: {host}, path: /)"),
            format!("b=1 (domain: {host}, path: /)")
        ]
    );
    assert_eq!(scene.read("document.cookie").await, "a=1");
    let hidden = actions::cookie_get(&jar, "b", soon()).await.unwrap();
    assert!(hidden.result.unwrap().contains("httpOnly: true"));
    actions::cookie_delete(&jar, "a", soon()).await.unwrap();
    assert_eq!(list().await, format!("b=1 (domain: {host}, path: /)"));
    actions::cookie_clear(&jar, soon()).await.unwrap();
    assert_eq!(list().await, "No cookies found");
    scene.close().await;
}
