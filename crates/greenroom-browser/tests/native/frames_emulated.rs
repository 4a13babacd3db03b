//! What a page is made to believe holds in all its frames, whichever process they are in.

use crate::frames::APART;
use crate::page::{Set, soon};
use greenroom_browser::native::actions;

const SCREEN: &str = "(body) => [matchMedia('print').matches, matchMedia('(prefers-color-scheme: dark)').matches].join()";

async fn seen(set: &Set, code: &str) -> String {
    let body = set
        .page
        .find("locator('iframe').contentFrame().locator('body')", soon());
    let body = body.await.unwrap_or_else(|error| panic!("{error}"));
    let given = body.evaluate(code, soon()).await.unwrap();
    given.value.unwrap().get().to_owned()
}

#[tokio::test]
async fn media_reach_frames_of_other_processes_that_are_there_and_that_come_later() {
    let set = Set::open_with(APART).await;
    set.site.page("/inner", "Inner");
    let other = set.site.elsewhere("/inner");
    set.go("/outer", &format!("<iframe src='{other}'></iframe>"))
        .await;
    set.snapshot().await;
    assert_eq!(seen(&set, SCREEN).await, "\"false,false\"");
    let dark = [("colorScheme", Some("dark")), ("media", Some("print"))];
    actions::emulate_media(&set.page, &dark, soon())
        .await
        .unwrap();
    assert_eq!(seen(&set, SCREEN).await, "\"true,true\"");
    set.go("/again", &format!("<iframe src='{other}'></iframe>"))
        .await;
    assert_eq!(seen(&set, SCREEN).await, "\"true,true\"");
    let back = [("media", None), ("colorScheme", Some("light"))];
    actions::emulate_media(&set.page, &back, soon())
        .await
        .unwrap();
    assert_eq!(seen(&set, SCREEN).await, "\"false,false\"");
    set.close().await;
}

#[tokio::test]
async fn the_size_of_the_window_reaches_frames_of_other_processes() {
    let set = Set::open_with(APART).await;
    set.site.page("/inner", "Inner");
    let other = set.site.elsewhere("/inner");
    let outer = format!(
        "<body style='margin:0'><iframe src='{other}' style='border:0;width:50vw'></iframe>"
    );
    set.go("/outer", &outer).await;
    set.snapshot().await;
    actions::resize(&set.page, 900, 500, soon()).await.unwrap();
    let wide = "() => new Promise(done => { const look = () => innerWidth === 450 ? done(innerWidth) : requestAnimationFrame(look); look(); })";
    assert_eq!(seen(&set, wide).await, "450");
    let frame = set
        .page
        .find("locator('iframe').contentFrame().locator('body')", soon());
    let session = frame.await.unwrap().session;
    assert_ne!(
        session.id(),
        set.page.session().id(),
        "a process of its own"
    );
    set.close().await;
}
