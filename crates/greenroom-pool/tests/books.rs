//! Snapshots and counters tell what is going on, and add up.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod common;

use common::{Asking, finish, hasty, id, lease, quiet, running, running_with, seconds, wish};
use greenroom_pool::{CloseReason, InstanceSpec, Options, Pool, Status};
use greenroom_testkit::gate::{Act, GatedManager, Op};
use tokio::time::Instant;

#[tokio::test(start_paused = true)]
async fn all_counts_of_a_snapshot_follow_from_its_instances() {
    let manager = GatedManager::new();
    manager.always(Op::Create, 3, Act::error("no such file"));
    manager.script(Op::Create, 4, [Act::Never]);
    let specs = InstanceSpec::numbered(5);
    let pool = Pool::new(manager.clone(), specs, Options::default()).unwrap();
    quiet().await;
    let held = lease(&pool, wish("ada")).await;
    let keyed = Asking::waiting(&pool, wish("ada").only("0"));
    let snapshot = pool.snapshot();
    assert_eq!(snapshot.total(), 5);
    assert_eq!(snapshot.healthy(), 3);
    assert_eq!(snapshot.failed(), 1);
    assert_eq!(snapshot.starting(), 1);
    assert_eq!(snapshot.leased(), 1);
    assert_eq!(snapshot.available(), 2);
    assert_eq!(snapshot.waiters.len(), 1);
    drop((held, keyed));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_lease_is_shown_with_its_holder_its_age_and_what_it_does_now() {
    let specs = vec![InstanceSpec::new(0).alias("main")];
    let (pool, manager) = running_with(Options::default(), specs).await;
    let start = Instant::now();
    let held = lease(&pool, wish("ada").activity("browser_click")).await;
    tokio::time::sleep(seconds(3)).await;
    let snapshot = pool.snapshot();
    let view = snapshot.instance(id(0)).unwrap();
    assert_eq!(view.alias.as_deref(), Some("main"));
    let shown = view.lease.as_ref().unwrap();
    assert_eq!((shown.since, shown.held_for), (start, seconds(3)));
    assert_eq!(shown.holder.tag(), "ada");
    assert_eq!(shown.activity.as_deref(), Some("browser_click"));
    assert_eq!(view.live.as_ref().unwrap().serial(), held.serial());

    held.set_activity(None);
    let merely_held = pool.snapshot().instances.remove(0).lease.unwrap();
    assert_eq!(merely_held.activity, None);
    held.set_activity(Some("browser_type".into()));
    let busy = pool.snapshot().instances.remove(0).lease.unwrap();
    assert_eq!(busy.activity.as_deref(), Some("browser_type"));
    assert_eq!(pool.snapshot().instances[0].free_since, None);
    drop(held);
    let free_since = pool.snapshot().instances[0].free_since;
    assert_eq!(free_since, Some(start + seconds(3)));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_lost_lease_cannot_speak_for_the_next_holder() {
    let (pool, manager) = running(1).await;
    let lost = lease(&pool, wish("ada")).await;
    manager.kill(0, "killed");
    tokio::time::sleep(seconds(2)).await;
    let current = lease(&pool, wish("bob")).await;
    lost.set_activity(Some("haunting".into()));
    assert_eq!(
        pool.snapshot().instances[0]
            .lease
            .as_ref()
            .unwrap()
            .activity,
        None
    );
    drop((lost, current));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_failed_instance_is_shown_with_its_story() {
    let (pool, manager) = running(1).await;
    manager.kill(0, "exit code 1");
    let died = Instant::now();
    quiet().await;
    let view = pool.snapshot().instances.remove(0);
    assert_eq!(view.status, Status::Failed);
    assert_eq!(view.retry_at, Some(died + seconds(1)));
    assert!(view.live.is_none());
    tokio::time::sleep(seconds(2)).await;
    let view = pool.snapshot().instances.remove(0);
    assert_eq!((view.status, view.restarts), (Status::Healthy, 1));
    assert_eq!(view.last_check.unwrap().error, None);
    assert_eq!(&*view.last_failure.unwrap().reason, "exit code 1");
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn every_way_to_end_an_acquisition_is_counted_once() {
    let options = Options {
        max_queue: 2,
        ..Options::default()
    };
    let (pool, manager) = running_with(options, InstanceSpec::numbered(1)).await;
    let held = lease(&pool, wish("ada")).await;
    let unknown = Asking::new(&pool, wish("ada").only("nobody")).error();
    assert!(unknown.is_bad_request());
    pool.acquire(hasty("ada", seconds(1))).await.unwrap_err();
    drop(Asking::waiting(&pool, wish("ada")));
    let waiting = [wish("ada"), wish("ada")].map(|wish| Asking::waiting(&pool, wish));
    Asking::new(&pool, wish("ada")).error();
    assert_eq!(pool.counters().acquires_in_flight(), 2);
    assert_eq!(pool.counters().leases_out(), 1);
    pool.drain(seconds(0)).await;
    for waiter in waiting {
        waiter.error();
    }
    let counters = pool.counters();
    assert_eq!(counters.acquires_started, 7);
    assert_eq!(counters.acquires_granted, 1);
    assert_eq!(counters.acquires_unknown, 1);
    assert_eq!(counters.acquires_timed_out, 1);
    assert_eq!(counters.acquires_cancelled, 1);
    assert_eq!(counters.acquires_refused, 1);
    assert_eq!(counters.acquires_closed, 2);
    assert_eq!(counters.acquires_ended(), 7);
    drop(held);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn closings_are_counted_by_reason() {
    let (pool, manager) = running(4).await;
    manager.kill(0, "killed");
    lease(&pool, wish("ada").only("1")).await.poison("done");
    pool.retire(id(2)).unwrap();
    pool.restart(id(3)).unwrap();
    quiet().await;
    let counters = pool.counters();
    for reason in [
        CloseReason::Failed,
        CloseReason::Poisoned,
        CloseReason::Retired,
        CloseReason::Restarted,
    ] {
        assert_eq!(counters.closed(reason), 1, "{reason}");
    }
    assert_eq!(counters.closed_in_all(), 4);
    finish(pool, manager).await;
}

#[test]
fn every_close_reason_has_its_own_counter_and_label() {
    let mut labels: Vec<&str> = CloseReason::ALL.iter().map(|it| it.label()).collect();
    labels.sort_unstable();
    labels.dedup();
    assert_eq!(labels.len(), CloseReason::ALL.len());
    for (index, reason) in CloseReason::ALL.into_iter().enumerate() {
        assert_eq!(
            reason as usize, index,
            "{reason} stands where it is counted"
        );
    }
}
