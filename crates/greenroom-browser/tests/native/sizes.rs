//! Snapshots of pages that are large, deep or long: bounded, told as such, and with a way to the rest.

use std::time::Duration;

use crate::actor::{Actor, reference};
use crate::page::{Set, soon};
use greenroom_browser::native::page::SnapshotOptions;
use serde_json::json;
use tokio::time::Instant;

fn at_most(bytes: u32) -> SnapshotOptions {
    SnapshotOptions {
        bytes: Some(bytes),
        ..SnapshotOptions::default()
    }
}

#[tokio::test]
async fn a_page_of_fifty_thousand_elements_is_read_whole_or_cut_with_the_way_to_the_rest() {
    let set = Set::open().await;
    let body = "<main><ul id=l></ul></main><footer><button>Last</button></footer><script>\
                l.innerHTML = Array.from({ length: 50000 }, (_, i) => `<li>Item ${i}</li>`).join('')</script>";
    set.go("/large", body).await;
    let begun = Instant::now();
    let whole = set.snapshot().await;
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(whole.matches("- listitem").count(), 50_000);
    assert!(whole.contains("Item 49999") && whole.contains("button \"Last\""));
    let cut = set
        .page
        .snapshot(None, &at_most(10_000), soon())
        .await
        .unwrap();
    assert!(cut.len() < 10_500, "{}", cut.len());
    assert!(
        cut.contains("Item 0") && !cut.contains("button \"Last\""),
        "{cut}"
    );
    let marker = cut.lines().last().unwrap();
    assert!(
        marker.contains("more nodes were left out: the snapshot is limited to 10000 bytes"),
        "{marker}"
    );
    assert!(
        marker.contains("call browser_snapshot with target set to"),
        "{marker}"
    );
    // The way that the marker names leads to the rest.
    let rest = set.page.find("footer", soon()).await.unwrap();
    let rest = set
        .page
        .snapshot(Some(&rest), &at_most(10_000), soon())
        .await
        .unwrap();
    assert!(
        rest.contains("button \"Last\"") && !rest.contains('#'),
        "{rest}"
    );
    set.close().await;
}

#[tokio::test]
async fn a_depth_shows_so_many_levels_and_the_rest_under_its_ref() {
    let actor = Actor::enter().await;
    let deep = format!(
        "{}<button>Bottom</button>",
        "<section aria-label=s>".repeat(150)
    );
    actor.visit("/deep", &deep).await;
    let whole = actor.snapshot().await;
    assert_eq!(whole.matches("region \"s\"").count(), 150, "{whole}");
    assert!(whole.contains("button \"Bottom\""));
    let reply = actor.call("browser_snapshot", json!({"depth": 3})).await;
    let top = reply.snapshot.unwrap();
    assert!(
        !top.contains("Bottom") && top.matches("region \"s\"").count() <= 4,
        "{top}"
    );
    let last = reference(top.lines().last().unwrap(), "region");
    let reply = actor
        .call("browser_snapshot", json!({"target": last}))
        .await;
    assert!(reply.snapshot.unwrap().contains("button \"Bottom\""));
    actor.leave().await;
}

#[tokio::test]
async fn five_megabytes_of_text_are_shortened_and_the_rest_of_the_page_is_there() {
    let actor = Actor::enter().await;
    let body = "<p id=p></p><button>After</button><script>p.textContent = 'word '.repeat(1 << 20)</script>";
    let shot = actor.visit("/long", body).await;
    assert!(shot.contains("button \"After\""), "{} bytes", shot.len());
    assert!(shot.len() < 200_000, "{} bytes", shot.len());
    let length = actor.run("() => p.textContent.length").await;
    assert_eq!(length, (5 << 20).to_string());
    actor.leave().await;
}

#[tokio::test]
async fn frames_share_the_limit_of_the_page_and_are_named_when_they_are_left_out() {
    let set = Set::open().await;
    set.site
        .page("/inner", &format!("<ul>{}</ul>", "<li>Inner".repeat(40)));
    let frames = "<iframe src='/inner'></iframe>".repeat(3);
    set.go("/outer", &format!("<h1>Outer</h1>{frames}")).await;
    let whole = set.snapshot().await;
    assert_eq!(whole.matches("Inner").count(), 120, "{whole}");
    let half = u32::try_from(whole.len() / 2).unwrap();
    let cut = set
        .page
        .snapshot(None, &at_most(half), soon())
        .await
        .unwrap();
    assert_eq!(cut.matches("Inner").count(), 40, "{cut}");
    assert_eq!(
        cut.matches("# What is in this frame was left out").count(),
        2,
        "{cut}"
    );
    let told = cut.lines().rfind(|line| line.contains("left out")).unwrap();
    let target = told
        .split("target set to ")
        .nth(1)
        .unwrap()
        .trim_end_matches('.');
    let frame = set.page.find(target, soon()).await.unwrap();
    let rest = set
        .page
        .snapshot(Some(&frame), &at_most(half), soon())
        .await
        .unwrap();
    assert_eq!(rest.matches("Inner").count(), 40, "{rest}");
    set.close().await;
}
