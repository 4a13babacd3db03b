//! Clicks and pictures on pages that are scrolled, zoomed or made larger by a pinch.

use crate::frames::APART;
use crate::page::{Set, soon};
use crate::stage::value;
use greenroom_browser::native::actions::{self, Subject};
use greenroom_browser::native::input::Clicks;
use greenroom_browser::native::protocol::page::ImageFormat;
use greenroom_browser::native::protocol::{Command, Done};
use serde::Serialize;

/// What fingers would do; agents have none, so that the engine itself never sends it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SetPageScaleFactor {
    page_scale_factor: f64,
}

impl Command for SetPageScaleFactor {
    const METHOD: &'static str = "Emulation.setPageScaleFactor";
    type Reply = Done;
}

const BODY: &str = "<body style='margin:0;width:3000px;height:5000px;background:white'>\
    <button style='position:absolute;left:1900px;top:2600px;width:120px;height:60px;border:0;background:blue'>B</button>\
    <button style='position:absolute;left:10px;top:20px;width:120px;height:60px;border:0;background:blue'>A</button>\
    <script>seen = []; onmousedown = (e) => seen.push(e.target.textContent)</script>";

/// Clicks buttons and looks at their pictures, which are blue from corner to corner.
async fn reach(set: &Set, within: &str, names: &[&str]) {
    for name in names {
        let target = format!("{within}getByRole('button', {{ name: '{name}' }})");
        let button = set.page.find(&target, soon()).await.unwrap();
        let clicked = actions::click(&button, &Clicks::default(), soon()).await;
        clicked.unwrap_or_else(|error| panic!("{target}: {error}"));
        let seen = button
            .evaluate("() => seen.splice(0).join()", soon())
            .await
            .unwrap();
        assert_eq!(seen.value.unwrap().get(), format!("{name:?}"), "{target}");
        // The button's own letter is in the middle.
        button
            .evaluate("(b) => { b.style.fontSize = 0; }", soon())
            .await
            .unwrap();
        let png = ImageFormat::Png;
        let taken = actions::screenshot(&set.page, Subject::Element(&button), png, soon()).await;
        button
            .evaluate("(b) => { b.style.fontSize = ''; }", soon())
            .await
            .unwrap();
        assert_eq!(
            colours(set, &taken.unwrap().data).await,
            "0,0,255",
            "{target}"
        );
    }
}

/// The colours in a picture, without its outermost pixels, where edges are smoothed.
async fn colours(set: &Set, png: &str) -> String {
    let script = format!(
        "(async () => {{ const i = new Image(); i.src = 'data:image/png;base64,{png}'; await i.decode();
        const c = Object.assign(document.createElement('canvas'), {{ width: i.width, height: i.height }});
        const g = c.getContext('2d'); g.drawImage(i, 0, 0);
        const d = g.getImageData(2, 2, i.width - 4, i.height - 4).data; const all = new Set();
        for (let p = 0; p < d.length; p += 4) all.add(d.slice(p, p + 3).join());
        return [...all].join(' '); }})()"
    );
    value(set.page.session(), &script).await
}

#[tokio::test]
async fn scrolled_and_zoomed_pages_are_met_where_they_are() {
    let set = Set::open().await;
    set.go("/page", BODY).await;
    reach(&set, "", &["A", "B", "A"]).await;
    let _: f64 = value(set.page.session(), "(scrollTo(500, 900), scrollX)").await;
    reach(&set, "", &["B", "A"]).await;
    let _: String = value(set.page.session(), "document.body.style.zoom = '1.5'").await;
    reach(&set, "", &["B", "A"]).await;
    let scaled = "(document.body.style.zoom = '', document.body.style.transformOrigin = '0 0', document.body.style.transform = 'scale(0.7)')";
    let _: String = value(set.page.session(), scaled).await;
    reach(&set, "", &["B", "A"]).await;
    set.close().await;
}

async fn pinch(set: &Set, factor: f64) {
    let pinch = SetPageScaleFactor {
        page_scale_factor: factor,
    };
    set.page.session().call(pinch).await.unwrap();
}

#[tokio::test]
async fn a_pinched_page_is_met_in_the_part_that_is_seen() {
    let set = Set::open().await;
    set.go("/page", BODY).await;
    pinch(&set, 2.0).await;
    reach(&set, "", &["A", "B", "A"]).await;
    set.close().await;
}

#[tokio::test]
async fn a_frame_in_a_pinched_page_is_met_too() {
    for args in [&[][..], APART] {
        let set = Set::open_with(args).await;
        set.site.page("/inner", BODY);
        let inner = set.site.elsewhere("/inner");
        let frame = format!(
            "<body style='margin:0;height:4000px;width:3000px'><iframe src='{inner}' \
             style='margin:1200px 0 0 900px;width:600px;height:400px'></iframe>"
        );
        set.go("/outer", &frame).await;
        pinch(&set, 1.5).await;
        reach(&set, "locator('iframe').contentFrame().", &["B", "A"]).await;
        set.close().await;
    }
}
