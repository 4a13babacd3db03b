//! Draining, closing, and letting go.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod common;

use std::time::Duration;

use common::{Asking, finish, id, lease, quiet, running, seconds, wish};
use greenroom_pool::{CloseReason, InstanceSpec, Options, Pool, PoolError};
use greenroom_testkit::gate::{Act, GatedManager, Op};
use tokio::time::Instant;

#[tokio::test(start_paused = true)]
async fn draining_refuses_newcomers_and_answers_those_who_wait() {
    let (pool, manager) = running(1).await;
    let held = lease(&pool, wish("ada")).await;
    let waiter = Asking::waiting(&pool, wish("ada"));
    let draining = tokio::spawn({
        let pool = pool.clone();
        async move { pool.drain(seconds(60)).await }
    });
    quiet().await;
    assert_eq!(waiter.error(), PoolError::Closed);
    assert_eq!(Asking::new(&pool, wish("ada")).error(), PoolError::Closed);
    assert!(!pool.snapshot().open);
    assert!(!held.is_lost(), "its holder may finish");
    assert!(!draining.is_finished());
    let start = Instant::now();
    drop(held);
    assert_eq!(draining.await.unwrap(), []);
    assert_eq!(
        start.elapsed(),
        Duration::ZERO,
        "it ends with the last lease"
    );
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn draining_gives_up_at_its_limit_and_says_who_holds() {
    let (pool, manager) = running(2).await;
    let held = lease(&pool, wish("ada").activity("browser_click")).await;
    let start = Instant::now();
    let left = pool.drain(seconds(5)).await;
    assert_eq!(start.elapsed(), seconds(5));
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].instance.id, id(0));
    assert_eq!(left[0].activity.as_deref(), Some("browser_click"));
    drop(held);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn draining_ends_when_the_last_lease_is_lost() {
    let (pool, manager) = running(1).await;
    let held = lease(&pool, wish("ada")).await;
    let (left, ()) = tokio::join!(pool.drain(Duration::MAX), async {
        quiet().await;
        manager.kill(0, "killed");
    });
    assert_eq!(left, []);
    drop(held);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn draining_takes_back_an_instance_that_was_being_reset_for_somebody() {
    let (pool, manager) = running(1).await;
    drop(lease(&pool, wish("ada")).await);
    manager.script(Op::Reset, 0, [Act::Never]);
    let bob = Asking::waiting(&pool, wish("bob"));
    quiet().await;
    assert_eq!(pool.drain(seconds(1)).await, []);
    assert_eq!(bob.error(), PoolError::Closed);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_closed_pool_refuses_everything() {
    let (pool, manager) = running(1).await;
    pool.close().await;
    assert_eq!(Asking::new(&pool, wish("ada")).error(), PoolError::Closed);
    assert_eq!(pool.add(InstanceSpec::new(5)), Err(PoolError::Closed));
    assert_eq!(pool.resize(5), Err(PoolError::Closed));
    assert_eq!(pool.retire(id(0)), Err(PoolError::Closed));
    assert_eq!(pool.restart(id(0)), Err(PoolError::Closed));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn closing_takes_all_instances_side_by_side_also_from_their_holders() {
    let (pool, manager) = running(3).await;
    let gates = [0, 1, 2].map(|number| manager.gate(Op::Close, number));
    let held = lease(&pool, wish("ada")).await;
    let closing = tokio::spawn({
        let pool = pool.clone();
        async move { pool.close().await }
    });
    for number in [0, 1, 2] {
        manager.called(Op::Close, number, 1).await;
    }
    assert_eq!(&*held.lost().await, "the pool was closed");
    assert!(!closing.is_finished(), "it waits until all are closed");
    gates.iter().for_each(greenroom_testkit::gate::Gate::open);
    closing.await.unwrap();
    assert_eq!(pool.counters().closed(CloseReason::PoolClosed), 3);
    drop(held);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn closing_gives_up_starts_retries_and_resets() {
    let manager = GatedManager::new();
    manager.script(Op::Create, 0, [Act::Never]);
    manager.always(Op::Create, 1, Act::error("no such file"));
    manager.script(Op::Reset, 2, [Act::Never]);
    let specs = InstanceSpec::numbered(3);
    let pool = Pool::new(manager.clone(), specs, Options::default()).unwrap();
    quiet().await;
    lease(&pool, wish("ada")).await.release_reset();
    quiet().await;
    let start = Instant::now();
    pool.close().await;
    assert_eq!(start.elapsed(), Duration::ZERO);
    assert_eq!(pool.counters().creations_abandoned, 1);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_close_that_hangs_is_given_up_after_its_limit() {
    let (pool, manager) = running(1).await;
    manager.script(Op::Close, 0, [Act::Never]);
    let start = Instant::now();
    pool.close().await;
    assert_eq!(start.elapsed(), Options::default().close_timeout);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn closing_goes_on_when_nobody_waits_for_it() {
    let (pool, manager) = running(1).await;
    let gate = manager.gate(Op::Close, 0);
    let closing = tokio::spawn({
        let pool = pool.clone();
        async move { pool.close().await }
    });
    manager.called(Op::Close, 0, 1).await;
    closing.abort();
    gate.open();
    quiet().await;
    manager.assert_balanced();
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn dropping_the_last_handle_closes_the_instances() {
    let (pool, manager) = running(2).await;
    let live = pool.snapshot().instances.remove(0).live.unwrap();
    drop(pool.clone());
    quiet().await;
    assert_eq!(manager.living().len(), 2, "a handle is left");
    drop(pool);
    assert_eq!(&*live.lost().await, "the pool was dropped");
    quiet().await;
    manager.assert_balanced();
    let closings = manager.closings();
    assert!(
        closings
            .iter()
            .all(|(_, reason)| *reason == CloseReason::PoolClosed)
    );
}

#[tokio::test(start_paused = true)]
async fn dropping_the_last_handle_gives_up_starts_and_retries() {
    let manager = GatedManager::new();
    manager.script(Op::Create, 0, [Act::Never]);
    manager.script(Op::Create, 1, [Act::error("no such file")]);
    let specs = InstanceSpec::numbered(2);
    let pool = Pool::new(manager.clone(), specs, Options::default()).unwrap();
    quiet().await;
    drop(pool);
    tokio::time::sleep(seconds(10)).await;
    assert_eq!(manager.calls(Op::Create, 1), 1);
    manager.assert_balanced();
}

#[tokio::test(start_paused = true)]
async fn a_lease_keeps_its_pool_alive() {
    let (pool, manager) = running(1).await;
    let held = lease(&pool, wish("ada")).await;
    drop(pool);
    quiet().await;
    assert!(!held.is_lost());
    assert_eq!(manager.living(), [id(0)]);
    drop(held);
    quiet().await;
    manager.assert_balanced();
}
