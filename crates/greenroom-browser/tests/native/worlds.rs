//! Worlds in real browsers.

use std::sync::Arc;
use std::time::Duration;

use crate::stage::{GRACE, LONG, Stage, eventually, kill, shared, value};
use greenroom_browser::call::EngineError;
use greenroom_browser::native::CdpError;
use greenroom_browser::native::browser::{SharedBrowser, Tab, TabEvent, World};
use greenroom_browser::native::conn::Notice;
use greenroom_browser::native::protocol::page;
use greenroom_browser::native::protocol::runtime::Evaluate;
use greenroom_browser::native::protocol::target::{Crashed, GetBrowserContexts};
use tokio::time::{Instant, timeout};

async fn contexts(browser: &SharedBrowser) -> usize {
    let contexts = browser.session().call(GetBrowserContexts {}).await.unwrap();
    contexts.browser_context_ids.len()
}

async fn finish(stage: Stage, browser: Arc<SharedBrowser>) {
    browser.stop(GRACE).await.unwrap();
    drop(browser);
    stage.strike().await;
}

#[tokio::test]
async fn twenty_worlds_come_answer_in_parallel_and_go_without_a_trace() {
    let stage = Stage::open().await;
    let browser = shared(&stage, 20).await;
    let making: Vec<_> = (0..20)
        .map(|_| {
            let browser = browser.clone();
            tokio::spawn(async move { browser.world(LONG).await.unwrap() })
        })
        .collect();
    let mut worlds = Vec::new();
    for world in making {
        worlds.push(world.await.unwrap());
    }
    assert_eq!((browser.worlds(), browser.free_seats()), (20, 0));
    assert_eq!(contexts(&browser).await, 20);
    let full = browser.world(LONG).await.unwrap_err().to_string();
    assert!(full.contains("CONTEXTS_PER_BROWSER"), "{full}");
    let asking: Vec<_> = worlds
        .iter()
        .enumerate()
        .map(|(n, world)| {
            let page = world.page().clone();
            tokio::spawn(async move {
                for round in 0..20 {
                    let script = format!("globalThis.mine ??= {n}; mine * 1000 + {round}");
                    assert_eq!(value::<usize>(&page, &script).await, n * 1000 + round);
                }
            })
        })
        .collect();
    for asked in asking {
        asked.await.unwrap();
    }
    for world in worlds {
        world.dispose(LONG).await.unwrap();
    }
    assert_eq!((browser.worlds(), contexts(&browser).await), (0, 0));
    assert!(!browser.is_retired());
    finish(stage, browser).await;
}

#[tokio::test]
async fn a_world_that_is_dropped_or_given_up_is_disposed_of_in_the_background() {
    let stage = Stage::open().await;
    let browser = shared(&stage, 4).await;
    let world = browser.world(LONG).await.unwrap();
    drop(world);
    for step in 0..6 {
        // Given up at different points of its making.
        let making = browser.world(LONG);
        let _ = timeout(Duration::from_millis(step * 10), making).await;
    }
    eventually("all are gone", || browser.worlds() == 0).await;
    assert_eq!(contexts(&browser).await, 0);
    assert!(!browser.is_retired());
    finish(stage, browser).await;
}

#[tokio::test]
async fn a_renderer_that_crashes_is_told_to_its_world_only() {
    let stage = Stage::open().await;
    let browser = shared(&stage, 4).await;
    let mut crashing = browser.world(LONG).await.unwrap();
    let mut other = browser.world(LONG).await.unwrap();
    let page = crashing.page().clone();
    let begun = Instant::now();
    let (hanging, crash) = tokio::join!(
        page.call(Evaluate::value_of("new Promise(() => {})")),
        page.call(page::Crash {}),
    );
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "{:?}",
        begun.elapsed()
    );
    for outcome in [hanging.map(drop), crash.map(drop)] {
        let error = outcome.unwrap_err();
        assert!(matches!(error, CdpError::Crashed { sent: true }), "{error}");
        assert!(matches!(EngineError::from(error), EngineError::PageCrashed));
    }
    let told = crashing.first.events.find(|crashed: Crashed| Some(crashed));
    timeout(LONG, told).await.unwrap().unwrap();
    let next = crashing.probe(LONG).await.unwrap_err();
    assert!(matches!(next, CdpError::Crashed { sent: false }), "{next}");

    other.probe(LONG).await.unwrap();
    while let Some(notice) = other.first.events.try_next() {
        let Notice::Event(event) = notice else {
            panic!("{notice:?}");
        };
        assert_ne!(event.method(), "Inspector.targetCrashed");
    }
    // The world itself lives on: another page in it works, and the dead one can be closed.
    let target = crashing.open("about:blank").await.unwrap();
    let tab = opened(&mut crashing).await;
    assert_eq!(tab.target, target);
    assert_eq!(value::<u32>(&tab.session, "1 + 1").await, 2);
    crashing
        .close(crashing.first.target.clone(), LONG)
        .await
        .unwrap();
    for world in [crashing, other] {
        world.dispose(LONG).await.unwrap();
    }
    finish(stage, browser).await;
}

async fn opened(world: &mut World) -> Box<Tab> {
    loop {
        match timeout(LONG, world.tabs.recv()).await.unwrap() {
            Some(TabEvent::Opened(tab)) => return tab,
            Some(_) => {}
            None => panic!("the browser has ended"),
        }
    }
}

#[tokio::test]
async fn popups_come_to_the_world_whose_page_opened_them() {
    let stage = Stage::open().await;
    let browser = shared(&stage, 4).await;
    let mut world = browser.world(LONG).await.unwrap();
    let mut other = browser.world(LONG).await.unwrap();
    value::<bool>(world.page(), "!!window.open('about:blank#popup')").await;
    let popup = opened(&mut world).await;
    assert_eq!(popup.opener.as_ref(), Some(&world.first.target));
    let address: String = value(&popup.session, "location.href").await;
    assert_eq!(address, "about:blank#popup");
    world.close(popup.target.clone(), LONG).await.unwrap();
    let closed = async {
        loop {
            match world.tabs.recv().await {
                Some(TabEvent::Closed(target)) => return target,
                Some(_) => {}
                None => panic!("the browser has ended"),
            }
        }
    };
    assert_eq!(timeout(LONG, closed).await.unwrap(), popup.target);
    while let Ok(event) = other.tabs.try_recv() {
        assert!(!matches!(event, TabEvent::Opened(_)), "{event:?}");
    }
    for world in [world, other] {
        world.dispose(LONG).await.unwrap();
    }
    finish(stage, browser).await;
}

#[tokio::test]
async fn a_browser_that_is_killed_fails_the_calls_of_all_its_worlds_at_once() {
    let stage = Stage::open().await;
    let browser = shared(&stage, 4).await;
    let mut worlds = Vec::new();
    for _ in 0..3 {
        worlds.push(browser.world(LONG).await.unwrap());
    }
    let calls: Vec<_> = worlds
        .iter()
        .map(|world| {
            let page = world.page().clone();
            let never = Evaluate::value_of("new Promise(() => {})");
            tokio::spawn(async move { page.call(never).await.map(drop) })
        })
        .collect();
    for world in &worlds {
        world.probe(LONG).await.unwrap();
    }
    let begun = Instant::now();
    kill(browser.chromium().pid().unwrap());
    for call in calls {
        let Err(CdpError::Ended { death, sent: true }) = call.await.unwrap() else {
            panic!("it cannot have an answer");
        };
        assert!(death.how.contains("SIGKILL"), "{death}");
    }
    assert!(
        begun.elapsed() < Duration::from_secs(1),
        "{:?}",
        begun.elapsed()
    );
    for world in worlds {
        let gone = world.dispose(LONG).await.unwrap_err();
        assert!(matches!(gone, EngineError::ResetFailed { .. }), "{gone}");
    }
    assert_eq!((browser.worlds(), browser.free_seats()), (0, 0));
    finish(stage, browser).await;
}
