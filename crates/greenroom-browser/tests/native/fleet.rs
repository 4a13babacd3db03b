//! A fleet of real browsers.

use std::time::Duration;

use crate::stage::{GRACE, LONG, SHELL, Stage, eventually, kill, signal, spec, value, visit};
use greenroom_browser::native::browser::{Fleet, FleetOptions, World};
use greenroom_testkit::site::Site;
use rustix::process::Signal;
use tokio::time::timeout;

fn fleet(stage: &Stage, contexts_per_browser: usize, warm: usize) -> Fleet {
    let options = FleetOptions {
        label: "FLEET".into(),
        spec: spec(SHELL),
        contexts_per_browser,
        warm,
    };
    Fleet::new(options, stage.host.clone())
}

async fn take(fleet: &Fleet) -> World {
    let taken = fleet.take(LONG).await;
    taken.unwrap_or_else(|error| panic!("{error}"))
}

async fn finish(stage: Stage, fleet: Fleet) {
    fleet.close(GRACE).await.unwrap();
    drop(fleet);
    stage.strike().await;
}

#[tokio::test]
async fn blank_worlds_are_kept_ready_and_replaced_when_taken() {
    let stage = Stage::open().await;
    let fleet = fleet(&stage, 8, 2);
    eventually("two are ready", || fleet.warm() == 2).await;
    let first = take(&fleet).await;
    let second = take(&fleet).await;
    first.probe(LONG).await.unwrap();
    eventually("two are ready again", || fleet.warm() == 2).await;
    assert_eq!(fleet.browsers().len(), 1);
    assert_eq!(fleet.browsers()[0].worlds(), 4);
    for world in [first, second] {
        world.dispose(LONG).await.unwrap();
    }
    assert_eq!(fleet.browsers()[0].worlds(), 2);
    finish(stage, fleet).await;
}

#[tokio::test]
async fn blank_worlds_take_no_seat_from_callers_who_would_then_need_another_browser() {
    let stage = Stage::open().await;
    for _ in 0..3 {
        // Blank worlds are being made while as many ask as the browser has seats.
        let fleet = fleet(&stage, 4, 2);
        let taking: Vec<_> = (0..4)
            .map(|_| {
                let fleet = fleet.clone();
                tokio::spawn(async move { take(&fleet).await })
            })
            .collect();
        let mut worlds = Vec::new();
        for world in taking {
            worlds.push(world.await.unwrap());
        }
        assert_eq!(fleet.browsers().len(), 1);
        for world in worlds {
            world.dispose(LONG).await.unwrap();
        }
        fleet.close(GRACE).await.unwrap();
    }
    stage.strike().await;
}

#[tokio::test]
async fn browsers_are_added_when_full_and_end_when_they_are_too_many() {
    let stage = Stage::open().await;
    let fleet = fleet(&stage, 2, 0);
    let taking: Vec<_> = (0..5)
        .map(|_| {
            let fleet = fleet.clone();
            tokio::spawn(async move { take(&fleet).await })
        })
        .collect();
    let mut worlds = Vec::new();
    for world in taking {
        worlds.push(world.await.unwrap());
    }
    let mut held: Vec<usize> = fleet.browsers().iter().map(|b| b.worlds()).collect();
    held.sort_unstable();
    assert_eq!(held, [1, 2, 2]);
    for world in worlds {
        world.dispose(LONG).await.unwrap();
    }
    eventually("one browser is left", || fleet.browsers().len() == 1).await;
    eventually("the others are gone", || stage.host.supervisor.live() == 1).await;
    take(&fleet).await.dispose(LONG).await.unwrap();
    finish(stage, fleet).await;
}

#[tokio::test]
async fn a_browser_that_dies_is_replaced_and_the_next_caller_gets_a_healthy_world() {
    let stage = Stage::open().await;
    let fleet = fleet(&stage, 8, 2);
    eventually("two are ready", || fleet.warm() == 2).await;
    let held = take(&fleet).await;
    let lost = fleet.browsers()[0].clone();
    let pid = lost.chromium().pid().unwrap();
    kill(pid);
    timeout(LONG, lost.ended()).await.unwrap();
    drop(lost);
    assert!(!held.is_alive());
    let next = take(&fleet).await;
    next.probe(LONG).await.unwrap();
    assert_ne!(next.browser().chromium().pid(), Some(pid));
    drop(held);
    eventually("two are ready again", || fleet.warm() == 2).await;
    assert_eq!(fleet.browsers().len(), 1);
    eventually("the dead one is gone", || stage.host.supervisor.live() == 1).await;
    next.dispose(LONG).await.unwrap();
    finish(stage, fleet).await;
}

#[tokio::test]
async fn nothing_of_one_world_is_seen_in_the_next() {
    let stage = Stage::open().await;
    let site = Site::start().await;
    let fleet = fleet(&stage, 8, 0);
    let leave = "document.cookie = 'c=1; max-age=1000'; localStorage.l = 1; sessionStorage.s = 1;
        caches.open('k').then(() => new Promise(done => { indexedDB.open('d').onsuccess = () => done(true); }))";
    let look = "(async () => [document.cookie, localStorage.length, sessionStorage.length,
        (await caches.keys()).length, (await indexedDB.databases()).length])()";
    let first = take(&fleet).await;
    let beside = take(&fleet).await;
    visit(first.page(), &site.url("/")).await;
    value::<bool>(first.page(), leave).await;
    let kept: (String, u32, u32, u32, u32) = value(first.page(), look).await;
    assert_eq!(
        kept,
        ("c=1".into(), 1, 1, 1, 1),
        "the canary itself must show"
    );
    first.dispose(LONG).await.unwrap();
    let next = take(&fleet).await;
    for world in [beside, next] {
        visit(world.page(), &site.url("/")).await;
        let seen: (String, u32, u32, u32, u32) = value(world.page(), look).await;
        assert_eq!(seen, (String::new(), 0, 0, 0, 0));
        world.dispose(LONG).await.unwrap();
    }
    drop(site);
    finish(stage, fleet).await;
}

#[tokio::test]
async fn a_world_whose_end_cannot_be_proved_takes_its_browser_with_it() {
    let stage = Stage::open().await;
    let fleet = fleet(&stage, 8, 0);
    let world = take(&fleet).await;
    let stuck = world.browser().clone();
    signal(stuck.chromium().pid().unwrap(), Signal::STOP);
    let unproved = world.dispose(Duration::from_millis(100)).await.unwrap_err();
    assert!(unproved.poisons_instance(), "{unproved}");
    assert!(stuck.is_retired());
    let next = take(&fleet).await;
    assert_ne!(next.browser().chromium().pid(), stuck.chromium().pid());
    next.probe(LONG).await.unwrap();
    drop(stuck);
    eventually("the stuck one is gone", || {
        stage.host.supervisor.live() == 1
    })
    .await;
    next.dispose(LONG).await.unwrap();
    finish(stage, fleet).await;
}

#[tokio::test]
async fn a_proxy_gets_everything_also_what_is_meant_for_this_machine() {
    let stage = Stage::open().await;
    let proxy = Site::start().await;
    let mut options = FleetOptions {
        label: "FLEET".into(),
        spec: spec(SHELL),
        contexts_per_browser: 2,
        warm: 0,
    };
    options.spec.proxy_server = Some(proxy.url(""));
    let fleet = Fleet::new(options, stage.host.clone());
    let world = take(&fleet).await;
    for url in [
        "http://somewhere.invalid/named",
        "http://127.0.0.1:8999/named",
    ] {
        visit(world.page(), url).await;
        assert_eq!(proxy.visits(url).len(), 1, "{url}");
    }
    world.dispose(LONG).await.unwrap();
    drop(proxy);
    finish(stage, fleet).await;
}

#[tokio::test]
async fn a_fleet_that_is_closed_starts_nothing_and_leaves_nothing() {
    let stage = Stage::open().await;
    let fleet = fleet(&stage, 2, 1);
    let world = take(&fleet).await;
    // Closed while blank worlds are being made and one is held.
    fleet.close(GRACE).await.unwrap();
    assert_eq!(stage.host.supervisor.live(), 0);
    let refused = fleet.take(LONG).await.unwrap_err().to_string();
    assert!(refused.contains("FLEET"), "{refused}");
    assert!(!world.is_alive());
    drop((world, fleet));
    stage.strike().await;
}

#[tokio::test]
async fn a_browser_that_cannot_start_is_an_error_and_not_a_loop() {
    let stage = Stage::open().await;
    let mut options = FleetOptions {
        label: "FLEET".into(),
        spec: spec("/bin/false"),
        contexts_per_browser: 2,
        warm: 1,
    };
    options.spec.start_timeout = Duration::from_secs(5);
    let fleet = Fleet::new(options, stage.host.clone());
    let error = fleet.take(LONG).await.unwrap_err().to_string();
    assert!(error.contains("code 1"), "{error}");
    finish(stage, fleet).await;
}

#[tokio::test]
async fn a_blank_world_whose_page_crashed_is_given_to_nobody() {
    let stage = Stage::open().await;
    let fleet = fleet(&stage, 8, 1);
    eventually("one is ready", || fleet.warm() == 1).await;
    let pid = fleet.browsers()[0].chromium().pid().unwrap();
    crate::stage::renderers_of(pid).into_iter().for_each(kill);
    let taken = take(&fleet).await;
    assert_eq!(value::<u32>(taken.page(), "6 * 7").await, 42);
    taken.dispose(LONG).await.unwrap();
    finish(stage, fleet).await;
}

#[tokio::test]
async fn no_browser_is_started_for_blank_worlds_alone() {
    let stage = Stage::open().await;
    let fleet = fleet(&stage, 2, 2);
    eventually("two are ready", || fleet.warm() == 2).await;
    let held = [take(&fleet).await, take(&fleet).await];
    assert_eq!((fleet.browsers().len(), fleet.warm()), (1, 0));
    for world in held {
        world.dispose(LONG).await.unwrap();
    }
    eventually("two are ready again", || fleet.warm() == 2).await;
    finish(stage, fleet).await;
}
