//! What one holder leaves behind, and who may see it.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod common;

use common::{Asking, finish, id, lease, quiet, running, running_with, seconds, wish};
use greenroom_pool::{CloseReason, InstanceSpec, Options, Restart, World};
use greenroom_testkit::gate::{Act, Op};

#[tokio::test(start_paused = true)]
async fn the_same_holder_finds_its_world_as_it_left_it() {
    let (pool, manager) = running(1).await;
    let first = lease(&pool, wish("ada")).await;
    assert_eq!(first.world(), World::Blank);
    let generation = first.generation();
    drop(first);
    let again = lease(&pool, wish("ada")).await;
    assert_eq!(
        (again.world(), again.generation()),
        (World::AsLeft, generation)
    );
    assert_eq!(manager.calls(Op::Reset, 0), 0);
    drop(again);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn another_holder_gets_the_instance_after_a_reset() {
    let (pool, manager) = running(1).await;
    drop(lease(&pool, wish("ada")).await);
    let other = pool.acquire(wish("bob")).await.unwrap();
    assert_eq!(other.world(), World::Blank);
    assert_eq!(other.generation().number(), 1, "reset, not replaced");
    assert_eq!(manager.calls(Op::Reset, 0), 1);
    drop(other);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn while_it_is_reset_for_somebody_the_instance_counts_as_held_by_that_one() {
    let (pool, manager) = running(1).await;
    drop(lease(&pool, wish("ada")).await);
    let gate = manager.gate(Op::Reset, 0);
    let bob = Asking::waiting(&pool, wish("bob").activity("browser_click"));
    quiet().await;
    let snapshot = pool.snapshot();
    let view = snapshot.instances[0].lease.as_ref().unwrap();
    assert_eq!(
        (view.holder.tag(), view.activity.as_deref()),
        ("bob", Some("browser_click"))
    );
    assert!(snapshot.instances[0].resetting);
    assert_eq!((snapshot.leased(), snapshot.available()), (1, 0));
    assert!(snapshot.waiters.is_empty(), "it has its instance");
    gate.open();
    quiet().await;
    drop(bob.lease());
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn an_instance_that_cannot_be_reset_is_replaced_and_the_waiter_keeps_its_place() {
    let (pool, manager) = running(1).await;
    drop(lease(&pool, wish("ada")).await);
    manager.script(Op::Reset, 0, [Act::error("cookies stayed")]);
    let first = Asking::waiting(&pool, wish("bob"));
    let mut second = Asking::waiting(&pool, wish("bob"));
    quiet().await;
    second.still_waits();
    let lease = first.lease();
    assert_eq!(
        (lease.world(), lease.generation().number()),
        (World::Blank, 2)
    );
    assert_eq!(manager.closings(), [(id(0), CloseReason::ResetFailed)]);
    let view = &pool.snapshot().instances[0];
    let failure = view.last_failure.as_ref().unwrap();
    assert_eq!(&*failure.reason, "the reset failed: cookies stayed");
    drop(lease);
    drop(second.lease());
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_waiter_whose_reset_fails_takes_what_has_become_free_meanwhile() {
    let (pool, manager) = running(2).await;
    let zero = lease(&pool, wish("ada")).await;
    drop(lease(&pool, wish("ada")).await);
    manager.script(Op::Reset, 1, [Act::Held]);
    manager.script(Op::Create, 1, [Act::Never]);
    let bob = Asking::waiting(&pool, wish("bob"));
    manager.called(Op::Reset, 1, 1).await;
    drop(zero);
    assert_eq!(pool.snapshot().available(), 1, "nobody waits for it yet");
    assert!(manager.answer(Op::Reset, 1, Err("stuck".to_owned())));
    quiet().await;
    assert_eq!(bob.lease().id(), id(0));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_reset_that_takes_too_long_is_a_reset_that_failed() {
    let (pool, manager) = running(1).await;
    drop(lease(&pool, wish("ada")).await);
    manager.script(Op::Reset, 0, [Act::Never]);
    let start = tokio::time::Instant::now();
    let lease = pool.acquire(wish("bob")).await.unwrap();
    assert_eq!(start.elapsed(), Options::default().reset_timeout);
    assert_eq!(lease.generation().number(), 2);
    drop(lease);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn an_instance_that_dies_while_it_is_reset_is_failed_at_once() {
    let (pool, manager) = running(1).await;
    drop(lease(&pool, wish("ada")).await);
    manager.script(Op::Reset, 0, [Act::Never]);
    let bob = Asking::waiting(&pool, wish("bob"));
    quiet().await;
    manager.kill(0, "killed");
    tokio::time::sleep(seconds(1)).await;
    quiet().await;
    assert_eq!(bob.lease().generation().number(), 2);
    assert_eq!(manager.closings(), [(id(0), CloseReason::Failed)]);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_lease_released_for_reset_does_not_make_its_holder_wait() {
    let (pool, manager) = running(1).await;
    let gate = manager.gate(Op::Reset, 0);
    lease(&pool, wish("ada")).await.release_reset();
    let mut next = Asking::waiting(&pool, wish("ada"));
    quiet().await;
    next.still_waits();
    let snapshot = pool.snapshot();
    assert_eq!(
        (snapshot.leased(), snapshot.available(), snapshot.healthy()),
        (0, 0, 1)
    );
    gate.open();
    quiet().await;
    assert_eq!(next.lease().world(), World::Blank);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_lease_released_for_reset_that_fails_replaces_the_instance() {
    let (pool, manager) = running(1).await;
    manager.script(Op::Reset, 0, [Act::error("stuck")]);
    lease(&pool, wish("ada")).await.release_reset();
    quiet().await;
    assert_eq!(lease(&pool, wish("ada")).await.generation().number(), 2);
    assert_eq!(pool.counters().resets_failed, 1);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_poisoned_instance_is_replaced_at_once_and_it_is_no_crash() {
    let never = Restart {
        attempts: 0,
        ..Restart::default()
    };
    let options = Options {
        restart: never,
        ..Options::default()
    };
    let (pool, manager) = running_with(options, InstanceSpec::numbered(1)).await;
    for generation in 1..=5 {
        let poisoned = pool.acquire(wish("ada")).await.unwrap();
        assert_eq!(poisoned.generation().number(), generation);
        poisoned.poison("half-typed password");
    }
    quiet().await;
    assert_eq!(pool.snapshot().healthy(), 1);
    assert_eq!(pool.counters().closed(CloseReason::Poisoned), 5);
    assert_eq!(pool.counters().restarts, 0);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn an_instance_that_its_holder_reports_as_failed_is_restarted_with_back_off() {
    let (pool, manager) = running(1).await;
    lease(&pool, wish("ada")).await.fail("it lies");
    quiet().await;
    let view = &pool.snapshot().instances[0];
    assert_eq!(&*view.last_failure.as_ref().unwrap().reason, "it lies");
    assert_eq!(pool.snapshot().failed(), 1);
    tokio::time::sleep(seconds(1)).await;
    assert_eq!(lease(&pool, wish("ada")).await.generation().number(), 2);
    assert_eq!(pool.counters().restarts, 1);
    assert_eq!(pool.counters().leases_lost, 0, "its holder gave it back");
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn the_next_life_is_created_only_when_the_former_one_is_closed() {
    let (pool, manager) = running(1).await;
    let gate = manager.gate(Op::Close, 0);
    lease(&pool, wish("ada")).await.poison("done");
    tokio::time::sleep(seconds(10)).await;
    assert_eq!(manager.calls(Op::Create, 0), 1);
    gate.open();
    quiet().await;
    assert_eq!(manager.calls(Op::Create, 0), 2);
    finish(pool, manager).await;
}
