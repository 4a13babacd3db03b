//! Probes, exits, and what they do to an instance.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod common;

use std::time::Duration;

use common::{Asking, finish, id, lease, quiet, running, running_with, seconds, wish};
use greenroom_pool::{CloseReason, Health, InstanceSpec, Options, Status};
use greenroom_testkit::gate::{Act, Op};
use tokio::time::Instant;

const INTERVAL: Duration = Duration::from_secs(20);

#[tokio::test(start_paused = true)]
async fn a_new_instance_counts_as_checked() {
    let start = Instant::now();
    let (pool, manager) = running(1).await;
    let check = pool.snapshot().instances[0].last_check.clone().unwrap();
    assert_eq!((check.at, check.error), (start, None));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn every_instance_is_probed_once_per_interval_also_while_it_is_leased() {
    let (pool, manager) = running(2).await;
    let held = lease(&pool, wish("ada")).await;
    tokio::time::sleep(INTERVAL * 10).await;
    for number in [0, 1] {
        assert_eq!(manager.calls(Op::Probe, number), 10);
    }
    assert_eq!(pool.counters().probes_answered, 20);
    drop(held);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_hanging_probe_does_not_keep_anybody_from_leasing() {
    let (pool, manager) = running(1).await;
    manager.always(Op::Probe, 0, Act::Never);
    tokio::time::sleep(INTERVAL).await;
    assert_eq!(manager.calls(Op::Probe, 0), 1);
    drop(lease(&pool, wish("ada")).await);
    let reset = lease(&pool, wish("ada")).await;
    reset.release_reset();
    quiet().await;
    assert_eq!(
        pool.snapshot().available(),
        1,
        "a reset does not wait for a probe"
    );
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn the_third_miss_in_a_row_makes_an_instance_failed() {
    let (pool, manager) = running(1).await;
    manager.always(Op::Probe, 0, Act::error("no pong"));
    tokio::time::sleep(INTERVAL * 2).await;
    let view = &pool.snapshot().instances[0];
    assert_eq!(view.status, Status::Healthy);
    assert_eq!(
        view.last_check.as_ref().unwrap().error.as_deref(),
        Some("no pong")
    );

    tokio::time::sleep(INTERVAL).await;
    let view = &pool.snapshot().instances[0];
    assert_eq!(view.status, Status::Failed);
    let failure = view.last_failure.as_ref().unwrap();
    assert_eq!(&*failure.reason, "3 probes in a row were missed: no pong");
    assert_eq!(manager.closings(), [(id(0), CloseReason::Failed)]);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_clears_the_misses_before_it() {
    let (pool, manager) = running(1).await;
    let miss = || Act::error("no pong");
    manager.script(
        Op::Probe,
        0,
        [miss(), miss(), Act::Ok, miss(), miss(), Act::Ok],
    );
    tokio::time::sleep(INTERVAL * 7).await;
    assert_eq!(pool.snapshot().healthy(), 1);
    let counters = pool.counters();
    assert_eq!((counters.probes_missed, counters.probes_answered), (4, 3));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_probe_that_takes_too_long_is_a_miss() {
    let (pool, manager) = running(1).await;
    manager.always(Op::Probe, 0, Act::Never);
    tokio::time::sleep(INTERVAL + seconds(5)).await;
    let view = &pool.snapshot().instances[0];
    let error = view.last_check.as_ref().unwrap().error.clone();
    assert_eq!(error.as_deref(), Some("probe did not finish within 5s"));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn an_instance_may_have_its_own_rule() {
    let strict = Health {
        interval: seconds(1),
        timeout: seconds(1),
        strikes: 1,
    };
    let specs = vec![InstanceSpec::new(0), InstanceSpec::new(1).health(strict)];
    let (pool, manager) = running_with(Options::default(), specs).await;
    for number in [0, 1] {
        manager.always(Op::Probe, number, Act::error("no pong"));
    }
    tokio::time::sleep(seconds(1)).await;
    let snapshot = pool.snapshot();
    assert_eq!(snapshot.instances[0].status, Status::Healthy);
    assert_eq!(snapshot.instances[1].status, Status::Failed);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn an_exit_is_noticed_at_once_and_the_instance_leaves_the_free_list() {
    let (pool, manager) = running(2).await;
    manager.kill(0, "exit code 1");
    quiet().await;
    let snapshot = pool.snapshot();
    assert_eq!(snapshot.instances[0].status, Status::Failed);
    let check = snapshot.instances[0].last_check.clone().unwrap();
    assert_eq!(check.error.as_deref(), Some("exit code 1"));
    let other = lease(&pool, wish("ada")).await;
    assert_eq!(other.id(), id(1));
    let mut waiter = Asking::waiting(&pool, wish("ada"));
    waiter.still_waits();
    drop(waiter);
    drop(other);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn the_holder_of_an_instance_that_dies_learns_it_at_once() {
    let (pool, manager) = running(1).await;
    let lease = lease(&pool, wish("ada")).await;
    assert!(!lease.is_lost());
    let start = Instant::now();
    let (reason, ()) = tokio::join!(lease.lost(), async {
        quiet().await;
        manager.kill(0, "exit code 1");
    });
    assert_eq!(&*reason, "exit code 1");
    assert!(start.elapsed() <= Duration::from_millis(2));
    assert!(lease.is_lost());
    assert_eq!(&*lease.lost().await, "exit code 1", "it stays lost");
    assert_eq!(pool.counters().leases_lost, 1);
    drop(lease);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_lost_lease_that_comes_back_does_not_touch_the_next_life() {
    for how in 0..4 {
        let (pool, manager) = running(1).await;
        let lost = lease(&pool, wish("ada")).await;
        manager.kill(0, "killed");
        tokio::time::sleep(seconds(2)).await;
        let current = lease(&pool, wish("bob")).await;
        assert_eq!(current.generation().number(), 2);
        match how {
            0 => drop(lost),
            1 => lost.release_reset(),
            2 => lost.poison("late"),
            _ => lost.fail("late"),
        }
        quiet().await;
        let view = &pool.snapshot().instances[0];
        assert_eq!(view.lease.as_ref().unwrap().holder.tag(), "bob");
        assert!(!current.is_lost());
        drop(current);
        finish(pool, manager).await;
    }
}

#[tokio::test(start_paused = true)]
async fn siblings_of_one_that_dies_are_not_disturbed() {
    let (pool, manager) = running(2).await;
    let zero = lease(&pool, wish("ada")).await;
    let one = lease(&pool, wish("ada")).await;
    manager.kill(0, "killed");
    quiet().await;
    assert!(zero.is_lost() && !one.is_lost());
    drop((zero, one));
    finish(pool, manager).await;
}
