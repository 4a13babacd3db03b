//! A pool that grows and shrinks while it is used.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod common;

use common::{Asking, TestPool, finish, id, lease, quiet, running, running_with, seconds, wish};
use greenroom_pool::{CloseReason, InstanceSpec, Options, Pool, PoolError, World};
use greenroom_testkit::gate::{Act, GatedManager, Op};

fn ids(pool: &TestPool) -> Vec<u32> {
    let snapshot = pool.snapshot();
    snapshot.instances.iter().map(|it| it.id.number()).collect()
}

#[tokio::test(start_paused = true)]
async fn growing_serves_those_who_wait() {
    let (pool, manager) = running(1).await;
    let held = lease(&pool, wish("ada")).await;
    let waiter = Asking::waiting(&pool, wish("ada"));
    pool.resize(2).unwrap();
    quiet().await;
    assert_eq!(waiter.lease().id(), id(1));
    drop(held);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn growing_uses_the_lowest_unused_ids() {
    let (pool, manager) = running(3).await;
    pool.retire(id(1)).unwrap();
    quiet().await;
    assert_eq!(ids(&pool), [0, 2]);
    pool.resize(4).unwrap();
    quiet().await;
    assert_eq!(ids(&pool), [0, 1, 2, 3]);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn shrinking_takes_the_highest_ids_and_never_one_that_is_held() {
    let (pool, manager) = running(3).await;
    let two = lease(&pool, wish("ada").only("2")).await;
    pool.resize(1).unwrap();
    quiet().await;
    assert_eq!(
        ids(&pool),
        [0, 2],
        "the free one is gone, the held one stays"
    );
    assert!(pool.snapshot().instances[1].retiring);
    assert!(!two.is_lost());
    assert!(matches!(
        Asking::new(&pool, wish("ada").only("2")).error(),
        PoolError::UnknownInstance { .. }
    ));
    drop(two);
    quiet().await;
    assert_eq!(ids(&pool), [0]);
    assert_eq!(manager.living(), [id(0)]);
    assert_eq!(pool.counters().closed(CloseReason::Retired), 2);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn those_who_wait_for_a_retired_instance_hear_so_at_once() {
    let (pool, manager) = running(2).await;
    let one = lease(&pool, wish("ada").only("1")).await;
    let keyed = Asking::waiting(&pool, wish("ada").only("1"));
    pool.resize(1).unwrap();
    assert_eq!(
        keyed.error().to_string(),
        "no instance '1' in this pool; use one of: 0"
    );
    drop(one);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn growing_again_keeps_an_instance_that_was_about_to_leave() {
    let (pool, manager) = running(2).await;
    let one = lease(&pool, wish("ada").only("1")).await;
    pool.resize(1).unwrap();
    pool.resize(2).unwrap();
    drop(one);
    quiet().await;
    assert_eq!(
        lease(&pool, wish("ada").only("1"))
            .await
            .generation()
            .number(),
        1
    );
    assert_eq!(manager.calls(Op::Create, 1), 1);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn growing_again_waits_for_the_former_life_to_be_closed() {
    let (pool, manager) = running(2).await;
    let gate = manager.gate(Op::Close, 1);
    pool.resize(1).unwrap();
    manager.called(Op::Close, 1, 1).await;
    pool.resize(2).unwrap();
    let waiter = Asking::waiting(&pool, wish("ada").only("1"));
    quiet().await;
    assert_eq!(manager.calls(Op::Create, 1), 1);
    gate.open();
    quiet().await;
    assert_eq!(waiter.lease().generation().number(), 2);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_lease_of_a_former_instance_never_returns_the_one_that_took_its_id() {
    let (pool, manager) = running(1).await;
    let lost = lease(&pool, wish("ada")).await;
    manager.kill(0, "killed");
    quiet().await;
    pool.resize(0).unwrap();
    quiet().await;
    pool.resize(1).unwrap();
    quiet().await;
    let current = lease(&pool, wish("bob")).await;
    assert!(current.generation() > lost.generation());
    drop(lost);
    assert_eq!(pool.snapshot().leased(), 1);
    drop(current);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn an_instance_that_is_reset_for_somebody_serves_that_one_before_it_leaves() {
    let (pool, manager) = running(1).await;
    drop(lease(&pool, wish("ada")).await);
    let gate = manager.gate(Op::Reset, 0);
    let bob = Asking::waiting(&pool, wish("bob"));
    quiet().await;
    pool.resize(0).unwrap();
    gate.open();
    quiet().await;
    let last = bob.lease();
    assert_eq!(last.world(), World::Blank);
    drop(last);
    quiet().await;
    assert!(manager.living().is_empty());
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn an_instance_that_is_reset_for_nobody_leaves_at_once() {
    let (pool, manager) = running(1).await;
    manager.script(Op::Reset, 0, [Act::Never]);
    lease(&pool, wish("ada")).await.release_reset();
    quiet().await;
    pool.resize(0).unwrap();
    quiet().await;
    assert!(manager.living().is_empty());
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_start_of_a_retired_instance_is_given_up() {
    let manager = GatedManager::new();
    manager.script(Op::Create, 0, [Act::Never]);
    let specs = InstanceSpec::numbered(1);
    let pool = Pool::new(manager.clone(), specs, Options::default()).unwrap();
    quiet().await;
    pool.retire(id(0)).unwrap();
    quiet().await;
    assert_eq!(pool.counters().creations_abandoned, 1);
    assert!(ids(&pool).is_empty());
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_failed_instance_that_is_retired_is_not_restarted() {
    let (pool, manager) = running(1).await;
    manager.kill(0, "killed");
    quiet().await;
    pool.retire(id(0)).unwrap();
    tokio::time::sleep(seconds(10)).await;
    assert_eq!(manager.calls(Op::Create, 0), 1);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn names_are_checked_when_a_pool_is_made_and_when_it_grows() {
    let (pool, manager) =
        running_with(Options::default(), vec![InstanceSpec::new(0).alias("main")]).await;
    let taken = |name: &str| {
        Err(PoolError::NameTaken {
            name: name.to_owned(),
        })
    };
    let numeric = Err(PoolError::NumericAlias {
        alias: "7".to_owned(),
    });
    assert_eq!(pool.add(InstanceSpec::new(0)), taken("0"));
    assert_eq!(pool.add(InstanceSpec::new(1).alias("main")), taken("main"));
    assert_eq!(pool.add(InstanceSpec::new(1).alias("7")), numeric);
    assert_eq!(pool.add(InstanceSpec::new(1).alias("other")), Ok(()));
    assert_eq!(pool.resolve("other"), Ok(id(1)));
    let twice = vec![InstanceSpec::new(3), InstanceSpec::new(3)];
    let refused = Pool::new(GatedManager::new(), twice, Options::default());
    assert_eq!(refused.map(drop), taken("3"));
    finish(pool, manager).await;
}
