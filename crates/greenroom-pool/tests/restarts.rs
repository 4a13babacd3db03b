//! When a failed instance is started again.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod common;

use std::time::Duration;

use common::{finish, id, lease, quiet, running, running_with, seconds, wish};
use greenroom_pool::{
    CloseReason, InstanceSpec, Options, Pool, PoolError, Restart, Restarting, Status,
};
use greenroom_testkit::gate::{Act, GatedManager, Op};
use tokio::time::Instant;

/// The times, in milliseconds from now, at which the next `count` starts of instance 0 begin.
async fn starts(manager: &GatedManager, count: usize) -> Vec<u128> {
    let start = Instant::now();
    let before = manager.calls(Op::Create, 0);
    let mut times = Vec::new();
    for n in 1..=count {
        manager.called(Op::Create, 0, before + n).await;
        times.push(start.elapsed().as_millis());
    }
    times
}

#[tokio::test(start_paused = true)]
async fn an_instance_that_keeps_dying_is_restarted_after_one_two_and_four_seconds() {
    let (pool, manager) = running(1).await;
    let mut delays = Vec::new();
    for _ in 0..3 {
        manager.kill(0, "killed");
        delays.extend(starts(&manager, 1).await);
        quiet().await;
        assert_eq!(pool.snapshot().healthy(), 1);
    }
    assert_eq!(delays, [1000, 2000, 4000]);

    manager.kill(0, "killed");
    tokio::time::sleep(seconds(3600)).await;
    assert_eq!(manager.calls(Op::Create, 0), 4, "its attempts are used up");
    let view = &pool.snapshot().instances[0];
    assert_eq!(
        (view.status, view.retry_at, view.restarts),
        (Status::Failed, None, 3)
    );
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn an_instance_that_cannot_be_started_again_is_tried_after_one_two_and_four_seconds() {
    let (pool, manager) = running(1).await;
    manager.always(Op::Create, 0, Act::error("no such file"));
    manager.kill(0, "killed");
    assert_eq!(starts(&manager, 3).await, [1000, 3000, 7000]);
    tokio::time::sleep(seconds(3600)).await;
    assert_eq!(manager.calls(Op::Create, 0), 4);
    let counters = pool.counters();
    assert_eq!((counters.restarts, counters.creations_failed), (3, 3));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_failed_first_start_is_followed_by_all_restarts() {
    let manager = GatedManager::new();
    manager.always(Op::Create, 0, Act::error("no such file"));
    let specs = InstanceSpec::numbered(2);
    let pool = Pool::new(manager.clone(), specs, Options::default()).unwrap();
    assert_eq!(starts(&manager, 4).await, [0, 1000, 3000, 7000]);
    tokio::time::sleep(seconds(3600)).await;
    assert_eq!(manager.calls(Op::Create, 0), 4, "no more than the budget");
    let snapshot = pool.snapshot();
    assert_eq!(
        (snapshot.healthy(), snapshot.failed()),
        (1, 1),
        "its sibling runs"
    );
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn the_window_slides_so_that_rare_crashes_never_use_up_the_attempts() {
    let (pool, manager) = running(1).await;
    for _ in 0..10 {
        manager.kill(0, "killed");
        assert_eq!(starts(&manager, 1).await, [1000], "the delay starts over");
        tokio::time::sleep(seconds(300)).await;
    }
    assert_eq!(pool.snapshot().instances[0].restarts, 10);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn attempts_that_left_the_window_make_room_for_as_many() {
    let (pool, manager) = running(1).await;
    for delay in [1000, 2000, 4000] {
        manager.kill(0, "killed");
        assert_eq!(starts(&manager, 1).await, [delay]);
        quiet().await;
    }
    // The first two attempts began 6 and 4 seconds before the third.
    tokio::time::sleep(seconds(296)).await;
    manager.kill(0, "killed");
    assert_eq!(starts(&manager, 1).await, [2000]);
    quiet().await;
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_restart_by_hand_revives_at_once_and_gives_all_attempts_back() {
    let options = Options {
        restart: Restart {
            attempts: 1,
            ..Restart::default()
        },
        ..Options::default()
    };
    let (pool, manager) = running_with(options, InstanceSpec::numbered(1)).await;
    manager.kill(0, "killed");
    starts(&manager, 1).await;
    quiet().await;
    manager.kill(0, "killed");
    tokio::time::sleep(seconds(60)).await;
    assert_eq!(pool.snapshot().failed(), 1);

    assert_eq!(pool.restart(id(0)), Ok(Restarting::Now));
    quiet().await;
    assert_eq!(pool.snapshot().healthy(), 1);
    manager.kill(0, "killed");
    assert_eq!(starts(&manager, 1).await, [1000]);
    quiet().await;
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_restart_by_hand_does_not_wait_for_the_back_off() {
    let (pool, manager) = running(1).await;
    manager.kill(0, "killed");
    quiet().await;
    assert_eq!(pool.restart(id(0)), Ok(Restarting::Now));
    quiet().await;
    assert_eq!(pool.snapshot().healthy(), 1);
    tokio::time::sleep(seconds(5)).await;
    assert_eq!(
        manager.calls(Op::Create, 0),
        2,
        "the retry that was due is forgotten"
    );
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_restart_by_hand_replaces_a_free_instance_at_once() {
    let (pool, manager) = running(1).await;
    assert_eq!(pool.restart(id(0)), Ok(Restarting::Now));
    quiet().await;
    assert_eq!(manager.closings(), [(id(0), CloseReason::Restarted)]);
    assert_eq!(lease(&pool, wish("ada")).await.generation().number(), 2);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_restart_by_hand_waits_for_the_holder() {
    let (pool, manager) = running(1).await;
    let held = lease(&pool, wish("ada")).await;
    assert_eq!(pool.restart(id(0)), Ok(Restarting::WhenReturned));
    quiet().await;
    assert!(!held.is_lost());
    drop(held);
    quiet().await;
    assert_eq!(lease(&pool, wish("ada")).await.generation().number(), 2);
    assert_eq!(manager.calls(Op::Create, 0), 2, "it is replaced once");
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_restart_by_hand_of_what_does_not_exist_lists_what_does() {
    let (pool, manager) = running(1).await;
    let error = pool.restart(id(7)).unwrap_err();
    assert!(matches!(error, PoolError::UnknownInstance { .. }));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn an_instance_may_have_its_own_rule() {
    let never = Restart {
        attempts: 0,
        ..Restart::default()
    };
    let specs = vec![InstanceSpec::new(0), InstanceSpec::new(1).restart(never)];
    let (pool, manager) = running_with(Options::default(), specs).await;
    manager.kill(0, "killed");
    manager.kill(1, "killed");
    tokio::time::sleep(seconds(2)).await;
    let snapshot = pool.snapshot();
    assert_eq!(snapshot.instances[0].status, Status::Healthy);
    assert_eq!(snapshot.instances[1].status, Status::Failed);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_start_that_takes_too_long_counts_as_failed() {
    let options = Options {
        start_timeout: seconds(30),
        ..Options::default()
    };
    let manager = GatedManager::new();
    manager.script(Op::Create, 0, [Act::Never]);
    let pool = Pool::new(manager.clone(), InstanceSpec::numbered(1), options).unwrap();
    tokio::time::sleep(seconds(30) + Duration::from_millis(1)).await;
    let view = &pool.snapshot().instances[0];
    let failure = view.last_failure.as_ref().unwrap();
    assert_eq!(&*failure.reason, "start did not finish within 30s");
    tokio::time::sleep(seconds(1)).await;
    assert_eq!(pool.snapshot().healthy(), 1);
    finish(pool, manager).await;
}
