//! Whatever a manager does, the pool goes on.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod common;

use common::{Asking, finish, lease, quiet, running, seconds, wish};
use greenroom_pool::{InstanceSpec, Options, Pool};
use greenroom_testkit::gate::{Act, GatedManager, Op};

fn panic() -> Act {
    Act::Panic("ouch".to_owned())
}

#[tokio::test(start_paused = true)]
async fn a_start_that_panics_is_a_start_that_failed() {
    let manager = GatedManager::new();
    manager.script(Op::Create, 0, [panic()]);
    let specs = InstanceSpec::numbered(1);
    let pool = Pool::new(manager.clone(), specs, Options::default()).unwrap();
    quiet().await;
    let view = &pool.snapshot().instances[0];
    let failure = view.last_failure.as_ref().unwrap();
    assert_eq!(&*failure.reason, "start panicked: ouch");
    tokio::time::sleep(seconds(1)).await;
    assert_eq!(pool.snapshot().healthy(), 1);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_probe_that_panics_is_a_miss() {
    let (pool, manager) = running(1).await;
    manager.script(Op::Probe, 0, [panic()]);
    tokio::time::sleep(seconds(20)).await;
    assert_eq!(pool.counters().probes_missed, 1);
    tokio::time::sleep(seconds(20)).await;
    assert_eq!(pool.counters().probes_answered, 1);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_reset_that_panics_is_a_reset_that_failed() {
    let (pool, manager) = running(1).await;
    manager.script(Op::Reset, 0, [panic()]);
    drop(lease(&pool, wish("ada")).await);
    let bob = Asking::waiting(&pool, wish("bob"));
    quiet().await;
    assert_eq!(bob.lease().generation().number(), 2);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_close_that_panics_does_not_keep_the_next_life_from_starting() {
    let (pool, manager) = running(1).await;
    manager.script(Op::Close, 0, [panic()]);
    lease(&pool, wish("ada")).await.poison("done");
    quiet().await;
    assert_eq!(lease(&pool, wish("ada")).await.generation().number(), 2);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn one_instance_that_never_starts_does_not_keep_its_siblings_from_starting() {
    let manager = GatedManager::new();
    manager.script(Op::Create, 0, [Act::Never]);
    let specs = InstanceSpec::numbered(3);
    let pool = Pool::new(manager.clone(), specs, Options::default()).unwrap();
    quiet().await;
    let snapshot = pool.snapshot();
    assert_eq!((snapshot.starting(), snapshot.healthy()), (1, 2));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn all_instances_are_started_side_by_side() {
    let manager = GatedManager::new();
    let gates = [0, 1, 2].map(|number| manager.gate(Op::Create, number));
    let specs = InstanceSpec::numbered(3);
    let pool = Pool::new(manager.clone(), specs, Options::default()).unwrap();
    for number in [0, 1, 2] {
        manager.called(Op::Create, number, 1).await;
    }
    assert_eq!(pool.snapshot().starting(), 3);
    gates.iter().for_each(greenroom_testkit::gate::Gate::open);
    quiet().await;
    assert_eq!(pool.snapshot().healthy(), 3);
    finish(pool, manager).await;
}
