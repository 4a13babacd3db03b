//! Acting on elements in frames of every kind: of the same site, of another one in the same
//! process, and in a process of their own; bordered, scaled, turned, scrolled and nested.

use crate::actor::{Actor, reference, section, text};
use greenroom_browser::call::Content;
use serde_json::json;

/// Frames of other sites are in processes of their own, or not.
pub(crate) const APART: &[&str] = &["--site-per-process"];
pub(crate) const TOGETHER: &[&str] = &["--disable-site-isolation-trials"];

/// A document with something for each tool, out of sight until it is scrolled to, that writes down
/// what happens in it.
const INNER: &str = "<style>body { margin: 0; height: 4000px; width: 900px }</style>
    <div style='height:1500px'>Top of the frame</div><div style='margin-left:120px'>
    <button onclick='log(\"click\", event)' ondblclick='log(\"double\", event)'>Press</button>
    <button onmouseenter='log(\"hover\", event)'>Over</button>
    <input aria-label=Name><input aria-label=Query onchange='log(\"changed\", event)'>
    <input type=checkbox aria-label=Agree>
    <select aria-label=Colour><option>Red<option>Blue</select>
    <input type=file aria-label=File onchange='log(this.files[0].name, event)'>
    <div draggable=true role=img aria-label=Thing style='width:60px;height:30px;background:red'
        ondragstart='event.dataTransfer.setData(\"text/plain\", \"load\")'></div>
    <div role=img aria-label=Bin style='width:100px;height:50px;background:blue'
        ondragover='event.preventDefault()'
        ondrop='event.preventDefault(); log(\"got \" + event.dataTransfer.getData(\"text/plain\"), event)'></div></div>
    <p id=notes></p>
    <script>const log = (what, event) => { notes.textContent += ` [${what}${event.isTrusted ? '' : ' by script'}]`; };</script>";

/// How the frame is shown.
const STYLES: &[&str] = &[
    "border:0",
    "border:25px solid;padding:10px 30px;margin-left:40px",
    "transform:scale(0.6) rotate(12deg);border:7px solid",
    "margin-top:2500px;zoom:1.3",
    "transform:perspective(900px) rotateY(25deg)",
];

struct Framed {
    actor: Actor,
    /// How the frame's elements are called.
    prefix: String,
}

impl Framed {
    /// Shows the inner document in a frame that is styled so.
    async fn show(actor: Actor, url: &str, style: &str) -> Self {
        actor.site.page("/inner", INNER);
        let outer = format!(
            "<body style='height:6000px'><h1>Outer</h1><iframe src='{url}' \
             style='width:500px;height:300px;{style}'></iframe>"
        );
        actor.visit("/outer", &outer).await;
        let loaded = json!({"text": "Top of the frame"});
        let shot = actor
            .call("browser_wait_for", loaded)
            .await
            .snapshot
            .unwrap();
        let press = reference(&shot, "button \"Press\"");
        assert!(press.starts_with('f'), "{press}: a ref of a frame");
        let prefix = press.rsplit_once('e').unwrap().0.to_owned();
        Self { actor, prefix }
    }

    async fn target(&self, of: &str) -> String {
        let target = reference(&self.actor.snapshot().await, of);
        assert!(target.starts_with(&self.prefix), "{target}");
        target
    }

    async fn act(&self, tool: &str, of: &str, mut arguments: serde_json::Value) -> String {
        arguments["target"] = self.target(of).await.into();
        let reply = self.actor.call(tool, arguments).await;
        let code = section(&reply, "Ran Playwright code").unwrap_or_default();
        assert!(code.contains(".contentFrame()."), "{code}");
        reply.snapshot.unwrap()
    }

    /// The mouse meets what it is meant for, wherever the frame's styles have put it.
    async fn mouse(&self) {
        let shot = self
            .act("browser_click", "button \"Press\"", json!({}))
            .await;
        assert!(shot.contains("[click]"), "{shot}");
        let twice = json!({"doubleClick": true});
        let shot = self.act("browser_click", "button \"Press\"", twice).await;
        assert!(shot.contains("[double]"), "{shot}");
        let shot = self
            .act("browser_hover", "button \"Over\"", json!({}))
            .await;
        assert!(shot.contains("[hover]"), "{shot}");
        let (from, to) = (
            self.target("img \"Thing\"").await,
            self.target("img \"Bin\"").await,
        );
        let both = json!({"startTarget": from, "startElement": "thing", "endTarget": to, "endElement": "bin"});
        self.actor.call("browser_drag", both).await;
        let shot = self.actor.snapshot().await;
        assert!(shot.contains("[got load]"), "{shot}");
        let data = json!({"data": {"text/plain": "given"}});
        let shot = self.act("browser_drop", "img \"Bin\"", data).await;
        assert!(shot.contains("[got given]"), "{shot}");
    }

    async fn keys(&self) {
        let typed = json!({"text": "first", "slowly": true});
        let shot = self.act("browser_type", "textbox \"Name\"", typed).await;
        assert!(
            shot.contains("textbox \"Name\"") && shot.contains(": first"),
            "{shot}"
        );
        let submitted = json!({"text": "second", "submit": true});
        let shot = self
            .act("browser_type", "textbox \"Query\"", submitted)
            .await;
        assert!(
            shot.contains("[changed]") && shot.contains(": second"),
            "{shot}"
        );
        let fields = json!({"fields": [
            {"target": self.target("textbox \"Name\"").await, "name": "Name", "type": "textbox", "value": "third"},
            {"target": self.target("checkbox \"Agree\"").await, "name": "Agree", "type": "checkbox", "value": "true"},
            {"target": self.target("combobox \"Colour\"").await, "name": "Colour", "type": "combobox", "value": "Blue"},
        ]});
        self.actor.call("browser_fill_form", fields).await;
        let shot = self.actor.snapshot().await;
        assert!(
            shot.contains(": third") && shot.contains("checkbox \"Agree\" [checked]"),
            "{shot}"
        );
        assert!(shot.contains("option \"Blue\" [selected]"), "{shot}");
        let red = json!({"values": ["Red"]});
        let shot = self
            .act("browser_select_option", "combobox \"Colour\"", red)
            .await;
        assert!(shot.contains("option \"Red\" [selected]"), "{shot}");
    }

    async fn files(&self) {
        let source = self.actor.stage.data.path().join("source");
        std::fs::write(&source, "contents").unwrap();
        let mut contents = tokio::fs::File::open(&source).await.unwrap();
        let path = self
            .actor
            .instance
            .lay_out("f", "a.txt", &mut contents)
            .await
            .unwrap();
        drop(contents);
        let click = json!({"target": self.target("button \"File\"").await});
        let reply = self.actor.call("browser_click", click).await;
        assert!(reply.modal.unwrap().contains("File chooser"));
        let reply = self
            .actor
            .call("browser_file_upload", json!({"paths": [path]}))
            .await;
        let shot = reply.snapshot.unwrap();
        assert!(shot.contains("[a.txt]"), "{shot}");
    }

    /// Code, texts and finds see what is in the frame.
    async fn looking(&self) {
        let code = json!({"function": "(e) => e.ownerDocument.title", "target": self.target("button \"Press\"").await});
        let reply = self.actor.call("browser_evaluate", code).await;
        assert_eq!(section(&reply, "Result").unwrap(), "\"inner\"");
        let found = self
            .actor
            .call("browser_find", json!({"text": "Press"}))
            .await;
        assert!(
            text(&found).contains(&format!("[ref={}e", self.prefix)),
            "{}",
            text(&found)
        );
        self.actor
            .call("browser_wait_for", json!({"text": "Top of the frame"}))
            .await;
        let change = json!({"function": "() => setTimeout(() => notes.textContent = 'Late', 100)", "target": self.target("button \"Press\"").await});
        self.actor.call("browser_evaluate", change).await;
        self.actor
            .call("browser_wait_for", json!({"text": "Late"}))
            .await;
        let change = json!({"function": "() => setTimeout(() => notes.textContent = 'Gone', 100)", "target": self.target("button \"Press\"").await});
        self.actor.call("browser_evaluate", change).await;
        self.actor
            .call("browser_wait_for", json!({"textGone": "Late"}))
            .await;
    }

    /// The middle of the picture of an element has the colour of that element.
    async fn picture(&self) {
        let bin = json!({"target": self.target("img \"Bin\"").await});
        let reply = self.actor.call("browser_take_screenshot", bin).await;
        let image = reply.content.iter().find_map(|content| match content {
            Content::Image { data, .. } => Some(data.clone()),
            _ => None,
        });
        let script = format!(
            "async () => {{ const i = new Image(); i.src = 'data:image/png;base64,{}'; await i.decode();
            const c = Object.assign(document.createElement('canvas'), {{ width: i.width, height: i.height }});
            const g = c.getContext('2d'); g.drawImage(i, 0, 0);
            return g.getImageData(i.width / 2, i.height / 2, 1, 1).data.join(); }}",
            image.unwrap()
        );
        assert_eq!(self.actor.run(&script).await, "\"0,0,255,255\"");
    }
}

async fn every_tool(args: &[&str], styles: &[&str], url: impl Fn(&Actor) -> String) {
    let mut actor = Actor::enter_with(args).await;
    for style in styles {
        let address = url(&actor);
        let framed = Framed::show(actor, &address, style).await;
        framed.mouse().await;
        framed.keys().await;
        framed.files().await;
        framed.looking().await;
        framed.picture().await;
        actor = framed.actor;
    }
    actor.leave().await;
}

#[tokio::test]
async fn every_tool_works_in_a_frame_of_the_same_site() {
    every_tool(TOGETHER, STYLES, |actor| actor.site.url("/inner")).await;
}

#[tokio::test]
async fn every_tool_works_in_a_frame_of_another_site_in_the_same_process() {
    every_tool(TOGETHER, &STYLES[1..3], |actor| {
        actor.site.elsewhere("/inner")
    })
    .await;
}

#[tokio::test]
async fn every_tool_works_in_a_frame_with_a_process_of_its_own() {
    every_tool(APART, STYLES, |actor| actor.site.elsewhere("/inner")).await;
}

/// A frame of another site that holds one of the first site, which are scaled and scrolled both.
fn nest(actor: &Actor) -> String {
    let inner = actor.site.url("/inner");
    actor.site.page(
        "/between",
        &format!(
            "<body style='height:3000px'><iframe src='{inner}' style='margin:900px 0 0 60px;width:400px;\
             height:250px;border:9px solid;transform:scale(0.8) rotate(-5deg)'></iframe>"
        ),
    );
    actor.site.elsewhere("/between")
}

#[tokio::test]
async fn every_tool_works_in_frames_within_frames() {
    every_tool(TOGETHER, &STYLES[2..4], nest).await;
}

#[tokio::test]
async fn every_tool_works_in_frames_within_frames_of_other_processes() {
    every_tool(APART, &STYLES[2..4], nest).await;
}
