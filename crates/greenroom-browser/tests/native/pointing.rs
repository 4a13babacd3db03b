//! The mouse by coordinates, keys that are held, drops, and where typing begins.

use crate::actor::{Actor, section, text};
use greenroom_browser::call::Reply;
use serde_json::json;

fn code(reply: &Reply) -> String {
    let section = section(reply, "Ran Playwright code").unwrap_or_default();
    let plain = section
        .trim_start_matches("```js\n")
        .trim_end_matches("```");
    plain.trim_end().to_owned()
}

#[tokio::test]
async fn the_mouse_drags_clicks_and_turns_its_wheel_by_coordinates() {
    let actor = Actor::enter().await;
    let body = "<style>body { margin: 0; height: 3000px }</style><script>window.seen = []; \
        for (const kind of ['mousedown', 'mouseup', 'dblclick']) addEventListener(kind, (e) => seen.push(kind + e.clientX));\
        </script>";
    actor.visit("/mouse", body).await;
    let drag = json!({"startX": 10, "startY": 20, "endX": 200.5, "endY": 40});
    let reply = actor.call("browser_mouse_drag_xy", drag).await;
    assert_eq!(
        code(&reply),
        "// Drag mouse from (10, 20) to (200.5, 40)\nawait page.mouse.move(10, 20);\nawait page.mouse.down();\n\
         await page.mouse.move(200.5, 40);\nawait page.mouse.up();"
    );
    assert!(reply.snapshot.is_some());
    assert_eq!(
        actor.run("() => seen.splice(0).join()").await,
        "\"mousedown10,mouseup200\""
    );
    let click = json!({"x": 30, "y": 30, "button": "left", "clickCount": 2, "delay": 5});
    let reply = actor.call("browser_mouse_click_xy", click).await;
    assert_eq!(
        code(&reply),
        "// Click mouse at coordinates (30, 30)\nawait page.mouse.click(30, 30, {\n  button: 'left',\n  \
         clickCount: 2,\n  delay: 5\n});"
    );
    assert!(actor.run("() => seen.join()").await.contains("dblclick30"));
    let down = actor
        .call("browser_mouse_down", json!({"button": "right"}))
        .await;
    assert_eq!(
        code(&down),
        "// Press mouse down\nawait page.mouse.down({\n  button: 'right'\n});"
    );
    assert!(down.snapshot.is_none());
    actor
        .call("browser_mouse_up", json!({"button": "right"}))
        .await;
    let wheel = actor
        .call("browser_mouse_wheel", json!({"deltaY": 100}))
        .await;
    assert_eq!(
        code(&wheel),
        "// Scroll mouse wheel\nawait page.mouse.wheel(0, 100);"
    );
    let scrolled = "async () => { while (scrollY === 0) await new Promise(requestAnimationFrame); return 'scrolled'; }";
    assert_eq!(actor.run(scrolled).await, "\"scrolled\"");
    let wrong = actor
        .refused("browser_mouse_drag_xy", json!({"startX": 1}))
        .await;
    assert!(wrong.contains("\"startY\" must be a number"), "{wrong}");
    actor.leave().await;
}

#[tokio::test]
async fn keys_are_held_during_a_click_and_told_for_every_computer() {
    let actor = Actor::enter().await;
    let body = "<button onclick='document.title = [event.altKey, event.ctrlKey, event.shiftKey].join()'>Go</button>";
    actor.visit("/keys", body).await;
    let click = json!({"target": "button", "modifiers": ["Shift", "Control"]});
    let reply = actor.call("browser_click", click).await;
    assert!(
        code(&reply).ends_with(".click({\n  modifiers: ['ControlOrMeta', 'Shift']\n});"),
        "{}",
        code(&reply)
    );
    assert_eq!(reply.page.unwrap().title, "false,true,true");
    let wrong = json!({"target": "button", "modifiers": ["Hyper"]});
    let refused = actor.refused("browser_click", wrong).await;
    assert!(refused.contains("ControlOrMeta"), "{refused}");
    actor.leave().await;
}

#[tokio::test]
async fn something_must_be_dropped() {
    let actor = Actor::enter().await;
    let body = "<div ondragover='event.preventDefault()' \
        ondrop='event.preventDefault(); document.title = event.dataTransfer.getData(\"text/plain\")'>Here</div>";
    actor.visit("/drop", body).await;
    for nothing in [
        json!({"target": "div"}),
        json!({"target": "div", "paths": []}),
        json!({"target": "div", "data": {}}),
    ] {
        let refused = actor.refused("browser_drop", nothing).await;
        assert!(
            refused.contains("At least one of \"paths\" or \"data\" must be provided."),
            "{refused}"
        );
    }
    let data = json!({"target": "div", "data": {"text/plain": "it's"}});
    let reply = actor.call("browser_drop", data).await;
    assert!(
        code(&reply).ends_with(".drop({\n  data: {\n  'text/plain': 'it\\'s'\n}\n});"),
        "{}",
        code(&reply)
    );
    assert_eq!(reply.page.unwrap().title, "it's");
    actor.leave().await;
}

#[tokio::test]
async fn typing_begins_where_the_caret_is_or_at_the_beginning() {
    let actor = Actor::enter().await;
    let body = "<input aria-label=A value=ab><textarea>cd</textarea><div contenteditable>ef</div>";
    actor.visit("/caret", body).await;
    let value = "() => document.querySelector('input').value";
    let type_into = async |target: &str, text: &str| {
        let typed = json!({"target": target, "text": text, "slowly": true});
        actor.call("browser_type", typed).await
    };
    let reply = type_into("input", "x").await;
    assert!(reply.snapshot.is_some() && text(&reply).contains(".pressSequentially('x');"));
    assert_eq!(actor.run(value).await, "\"xab\"");
    type_into("input", "y").await;
    assert_eq!(
        actor.run(value).await,
        "\"xyab\"",
        "the caret stays in a field that has the focus"
    );
    type_into("textarea", "z").await;
    assert_eq!(
        actor
            .run("() => document.querySelector('textarea').value")
            .await,
        "\"zcd\""
    );
    type_into("div", "w").await;
    assert_eq!(
        actor
            .run("() => document.querySelector('div').textContent")
            .await,
        "\"wef\""
    );
    let filled = json!({"target": "input", "text": "all"});
    let reply = actor.call("browser_type", filled).await;
    assert!(reply.snapshot.is_none(), "{}", text(&reply));
    assert_eq!(actor.run(value).await, "\"all\"");
    actor.leave().await;
}

#[tokio::test]
async fn media_features_are_set_one_by_one_and_taken_back_with_null() {
    let actor = Actor::enter().await;
    actor.visit("/media", "<h1>Media</h1>").await;
    let believed = "() => [matchMedia('(prefers-color-scheme: dark)').matches, matchMedia('print').matches].join()";
    let reply = actor
        .call(
            "browser_emulate_media",
            json!({"media": "print", "colorScheme": "dark"}),
        )
        .await;
    assert_eq!(
        code(&reply),
        "await page.emulateMedia({ colorScheme: 'dark', media: 'print' });"
    );
    assert!(reply.snapshot.is_none());
    assert_eq!(actor.run(believed).await, "\"true,true\"");
    let reply = actor
        .call("browser_emulate_media", json!({"media": null}))
        .await;
    assert_eq!(code(&reply), "await page.emulateMedia({ media: null });");
    assert_eq!(actor.run(believed).await, "\"true,false\"");
    let none = actor.refused("browser_emulate_media", json!({})).await;
    assert!(
        none.contains("Specify at least one media feature to emulate"),
        "{none}"
    );
    let wrong = actor
        .refused("browser_emulate_media", json!({"contrast": "less"}))
        .await;
    assert!(wrong.contains("more, no-preference or null"), "{wrong}");
    actor.leave().await;
}
