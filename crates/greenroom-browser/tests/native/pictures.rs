//! Pictures and papers: their names, their kinds, and what is told of them.

use crate::actor::{Actor, section, text};
use greenroom_browser::call::{Content, Reply};
use serde_json::json;

/// The kinds of the pictures that the agent sees.
fn pictures(reply: &Reply) -> Vec<&str> {
    let mut kinds = Vec::new();
    for content in &reply.content {
        if let Content::Image { mime_type, .. } = content {
            kinds.push(mime_type.as_str());
        }
    }
    kinds
}

#[tokio::test]
async fn a_picture_without_a_name_is_seen_and_named_after_its_time() {
    let actor = Actor::enter().await;
    actor.visit("/picture", "<h1>Picture</h1>").await;
    let reply = actor.call("browser_take_screenshot", json!({})).await;
    assert_eq!(pictures(&reply), ["image/png"]);
    assert!(reply.files.is_empty());
    let told = section(&reply, "Result").unwrap();
    let name = told.strip_prefix("- Screenshot of viewport: ").unwrap();
    assert!(
        name.starts_with("page-20") && name.ends_with("Z.png"),
        "{name}"
    );
    assert_eq!(
        section(&reply, "Ran Playwright code").unwrap(),
        format!(
            "```js\n// Screenshot viewport and save it as {name}\nawait page.screenshot({{\n  path: '{name}',\n  \
             scale: 'css',\n  type: 'png'\n}});\n```"
        )
    );
    let one = json!({"target": "h1", "element": "the title", "type": "webp", "scale": "device"});
    let reply = actor.call("browser_take_screenshot", one).await;
    assert_eq!(pictures(&reply), ["image/webp"]);
    let told = text(&reply);
    assert!(
        told.contains("- Screenshot of the title: element-20"),
        "{told}"
    );
    assert!(
        told.contains("  scale: 'device',\n  type: 'webp'\n});"),
        "{told}"
    );
    actor.leave().await;
}

#[tokio::test]
async fn a_picture_with_a_name_is_a_file_of_the_kind_that_the_name_says() {
    let actor = Actor::enter().await;
    actor.visit("/picture", "<h1>Picture</h1>").await;
    let named = json!({"filename": "../out/x.JPG", "fullPage": true});
    let reply = actor.call("browser_take_screenshot", named).await;
    assert!(pictures(&reply).is_empty(), "{}", text(&reply));
    let file = &reply.files[0];
    assert_eq!(
        (file.name.as_str(), file.mime_type),
        ("x.JPG", "image/jpeg")
    );
    assert!(file.bytes.starts_with(&[0xff, 0xd8]), "a JPEG");
    assert_eq!(
        text(&reply),
        "### Result\n- Screenshot of full page: x.JPG\n### Ran Playwright code\n```js\n\
         // Screenshot full page and save it as x.JPG\nawait page.screenshot({\n  fullPage: true,\n  \
         path: 'x.JPG',\n  quality: 90,\n  scale: 'css',\n  type: 'jpeg'\n});\n```"
    );
    let said = json!({"filename": "x.jpg", "type": "png"});
    let reply = actor.call("browser_take_screenshot", said).await;
    assert!(reply.files[0].bytes.starts_with(b"\x89PNG"));
    for (wrong, why) in [
        (
            json!({"target": "h1", "fullPage": true}),
            "fullPage cannot be used with element screenshots.",
        ),
        (json!({"target": "h2"}), "h2"),
        (json!({"type": "gif"}), "png, jpeg or webp"),
        (json!({"scale": "huge"}), "css or device"),
    ] {
        let refused = actor.refused("browser_take_screenshot", wrong).await;
        assert!(refused.contains(why), "{refused}");
    }
    actor.leave().await;
}

#[tokio::test]
async fn a_picture_that_cannot_show_all_says_so() {
    let actor = Actor::enter().await;
    let body = "<style>body { margin: 0 }</style><div style='height: 20000px'>Long</div>";
    actor.visit("/long", body).await;
    for (whole, height) in [
        (json!({"fullPage": true}), 20_000),
        (json!({"target": "div"}), 20_000),
    ] {
        let reply = actor.call("browser_take_screenshot", whole).await;
        let told = text(&reply);
        assert!(told.contains(&format!("x {height} pixels")), "{told}");
        assert!(
            told.contains("no more than 16384 of a side: the rest is cut off. Take"),
            "{told}"
        );
        assert_eq!(pictures(&reply), ["image/png"]);
    }
    let seen = actor.call("browser_take_screenshot", json!({})).await;
    assert!(!text(&seen).contains("cut off"), "{}", text(&seen));
    actor.leave().await;
}

#[tokio::test]
async fn a_paper_is_a_file() {
    let actor = Actor::enter().await;
    actor.visit("/paper", "<h1>Paper</h1>").await;
    let reply = actor
        .call("browser_pdf_save", json!({"filename": "out/a.pdf"}))
        .await;
    assert!(reply.files[0].name == "a.pdf" && reply.files[0].bytes.starts_with(b"%PDF"));
    assert_eq!(
        text(&reply),
        "### Result\n- Page as pdf: a.pdf\n### Ran Playwright code\n```js\nawait page.pdf({\n  path: 'a.pdf'\n});\n```"
    );
    let reply = actor.call("browser_pdf_save", json!({})).await;
    let name = &reply.files[0].name;
    assert!(
        name.starts_with("page-20") && name.ends_with(".pdf"),
        "{name}"
    );
    actor.leave().await;
}
