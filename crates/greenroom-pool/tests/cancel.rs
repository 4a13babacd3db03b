//! A caller may go away at any point: nothing is lost, and what it was about to get goes on.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod common;

use common::{Asking, finish, hasty, id, lease, quiet, running, seconds, wish};
use greenroom_pool::{InstanceSpec, Options, Pool, PoolError, World};
use greenroom_testkit::gate::{Act, GatedManager, Op};

#[tokio::test(start_paused = true)]
async fn before_it_was_ever_polled() {
    let (pool, manager) = running(1).await;
    drop(pool.acquire(wish("ada")));
    assert_eq!(pool.counters().acquires_started, 0);
    drop(lease(&pool, wish("ada")).await);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn while_it_waits_in_the_queue() {
    let (pool, manager) = running(1).await;
    let held = lease(&pool, wish("ada")).await;
    let first = Asking::waiting(&pool, wish("ada"));
    let second = Asking::waiting(&pool, wish("ada"));
    let third = Asking::waiting(&pool, wish("ada"));
    drop(second);
    assert_eq!(pool.waiters().len(), 2);
    drop(first);
    drop(held);
    drop(third.lease());
    assert_eq!(pool.counters().acquires_cancelled, 2);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn while_it_waits_for_one_instance() {
    let (pool, manager) = running(2).await;
    let held = lease(&pool, wish("ada").only("1")).await;
    let gone = Asking::waiting(&pool, wish("ada").only("1"));
    let stays = Asking::waiting(&pool, wish("ada").only("1"));
    drop(gone);
    drop(held);
    assert_eq!(stays.lease().id(), id(1));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn when_it_was_granted_and_has_not_noticed() {
    let (pool, manager) = running(1).await;
    let held = lease(&pool, wish("ada")).await;
    let gone = Asking::waiting(&pool, wish("ada"));
    let next = Asking::waiting(&pool, wish("ada"));
    drop(held);
    drop(gone);
    drop(next.lease());
    assert_eq!(pool.counters().acquires_cancelled, 1);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn when_it_was_granted_and_nobody_else_waits() {
    let (pool, manager) = running(1).await;
    let held = lease(&pool, wish("ada")).await;
    let gone = Asking::waiting(&pool, wish("ada"));
    drop(held);
    drop(gone);
    assert_eq!(pool.snapshot().available(), 1);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_blank_instance_that_was_granted_and_never_seen_stays_blank() {
    let (pool, manager) = running(1).await;
    let held = lease(&pool, wish("ada")).await;
    let gone = Asking::waiting(&pool, wish("bob"));
    held.release_reset();
    quiet().await;
    assert_eq!(pool.snapshot().leased(), 1, "the grant lies ready");
    drop(gone);
    assert_eq!(lease(&pool, wish("eve")).await.world(), World::Blank);
    assert_eq!(manager.calls(Op::Reset, 0), 1);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn while_its_instance_is_reset_for_it() {
    let (pool, manager) = running(1).await;
    drop(lease(&pool, wish("ada")).await);
    let gate = manager.gate(Op::Reset, 0);
    let gone = Asking::waiting(&pool, wish("bob"));
    manager.called(Op::Reset, 0, 1).await;
    assert_eq!(pool.snapshot().leased(), 1);
    drop(gone);
    assert_eq!(pool.snapshot().leased(), 0);
    assert_eq!(pool.snapshot().available(), 0, "the reset goes on");
    let next = Asking::waiting(&pool, wish("eve"));
    gate.open();
    quiet().await;
    let lease = next.lease();
    assert_eq!(
        (lease.world(), lease.generation().number()),
        (World::Blank, 1)
    );
    drop(lease);
    assert_eq!(manager.calls(Op::Reset, 0), 1, "one reset served the next");
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn while_its_instance_is_reset_and_the_reset_fails_afterwards() {
    let (pool, manager) = running(1).await;
    drop(lease(&pool, wish("ada")).await);
    manager.script(Op::Reset, 0, [Act::Held]);
    let gone = Asking::waiting(&pool, wish("bob"));
    manager.called(Op::Reset, 0, 1).await;
    drop(gone);
    assert!(manager.answer(Op::Reset, 0, Err("stuck".to_owned())));
    quiet().await;
    assert_eq!(lease(&pool, wish("eve")).await.generation().number(), 2);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn while_it_waits_for_the_first_start() {
    let manager = GatedManager::new();
    let gate = manager.gate(Op::Create, 0);
    let pool = Pool::new(
        manager.clone(),
        InstanceSpec::numbered(1),
        Options::default(),
    )
    .unwrap();
    let gone = Asking::waiting(&pool, wish("ada"));
    let stays = Asking::waiting(&pool, wish("bob"));
    drop(gone);
    gate.open();
    quiet().await;
    assert_eq!(stays.lease().world(), World::Blank);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn while_it_waits_for_a_restart() {
    let (pool, manager) = running(1).await;
    manager.kill(0, "killed");
    quiet().await;
    let gone = Asking::waiting(&pool, wish("ada"));
    let stays = Asking::waiting(&pool, wish("ada"));
    drop(gone);
    tokio::time::sleep(seconds(1)).await;
    assert_eq!(stays.lease().generation().number(), 2);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn when_its_refusal_lies_ready() {
    let (pool, manager) = running(1).await;
    let held = lease(&pool, wish("ada")).await;
    let gone = Asking::waiting(&pool, wish("ada"));
    assert_eq!(pool.drain(seconds(0)).await.len(), 1);
    drop(gone);
    let counters = pool.counters();
    assert_eq!(
        (counters.acquires_cancelled, counters.acquires_closed),
        (1, 0)
    );
    drop(held);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_grant_that_comes_with_the_deadline_counts() {
    let (pool, manager) = running(1).await;
    let held = lease(&pool, wish("ada")).await;
    let late = Asking::waiting(&pool, hasty("ada", seconds(1)));
    tokio::time::sleep(seconds(1)).await;
    drop(held);
    drop(late.lease());
    assert_eq!(pool.counters().acquires_timed_out, 0);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_deadline_that_comes_before_the_grant_leaves_it_to_the_next() {
    let (pool, manager) = running(1).await;
    let held = lease(&pool, wish("ada")).await;
    let late = Asking::waiting(&pool, hasty("ada", seconds(1)));
    let next = Asking::waiting(&pool, wish("ada"));
    tokio::time::sleep(seconds(1)).await;
    assert!(matches!(late.error(), PoolError::Timeout { .. }));
    drop(held);
    drop(next.lease());
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_deadline_during_the_reset_leaves_the_instance_to_the_next() {
    let (pool, manager) = running(1).await;
    drop(lease(&pool, wish("ada")).await);
    let gate = manager.gate(Op::Reset, 0);
    let late = Asking::waiting(&pool, hasty("bob", seconds(1)));
    tokio::time::sleep(seconds(1)).await;
    assert!(matches!(late.error(), PoolError::Timeout { .. }));
    gate.open();
    quiet().await;
    assert_eq!(lease(&pool, wish("eve")).await.generation().number(), 1);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn an_aborted_task_gives_back_its_place_and_its_lease() {
    let (pool, manager) = running(1).await;
    let holder = tokio::spawn({
        let pool = pool.clone();
        async move {
            let _lease = pool.acquire(wish("ada")).await.unwrap();
            std::future::pending::<()>().await;
        }
    });
    quiet().await;
    let waiter = tokio::spawn({
        let pool = pool.clone();
        async move { pool.acquire(wish("ada")).await.map(drop) }
    });
    quiet().await;
    assert_eq!(pool.waiters().len(), 1);
    waiter.abort();
    holder.abort();
    quiet().await;
    assert_eq!(pool.snapshot().available(), 1);
    assert!(waiter.await.unwrap_err().is_cancelled());
    assert!(holder.await.unwrap_err().is_cancelled());
    finish(pool, manager).await;
}
