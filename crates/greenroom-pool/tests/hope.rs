//! A caller waits while there is something to wait for, and not a moment longer.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod common;

use common::{Asking, finish, hasty, id, lease, quiet, running, running_with, seconds, wish};
use greenroom_pool::{InstanceSpec, Options, Pool, PoolError, Restart};
use greenroom_testkit::gate::{Act, GatedManager, Op};

fn no_retries() -> Options {
    Options {
        restart: Restart {
            attempts: 0,
            ..Restart::default()
        },
        ..Options::default()
    }
}

#[tokio::test(start_paused = true)]
async fn callers_wait_for_instances_that_start() {
    let manager = GatedManager::new();
    let gate = manager.gate(Op::Create, 0);
    let pool = Pool::new(manager.clone(), InstanceSpec::numbered(1), no_retries()).unwrap();
    let early = Asking::waiting(&pool, wish("ada"));
    gate.open();
    quiet().await;
    drop(early.lease());
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn callers_wait_for_a_restart_that_is_due_before_their_deadline() {
    let (pool, manager) = running(1).await;
    manager.kill(0, "killed");
    quiet().await;
    let lease = pool.acquire(hasty("ada", seconds(2))).await.unwrap();
    assert_eq!(lease.generation().number(), 2);
    drop(lease);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn callers_whose_deadline_comes_before_the_restart_hear_so_at_once() {
    let options = Options {
        restart: Restart {
            first_delay: seconds(10),
            ..Restart::default()
        },
        ..Options::default()
    };
    let (pool, manager) = running_with(options, InstanceSpec::numbered(1)).await;
    manager.kill(0, "exit code 1");
    quiet().await;
    let error = Asking::new(&pool, hasty("ada", seconds(2))).error();
    let expected = PoolError::NoHealthyInstances {
        wanted: None,
        last_failure: Some("exit code 1".to_owned()),
        retry_after: Some(seconds(10) - std::time::Duration::from_millis(1)),
    };
    assert_eq!(error, expected);
    assert_eq!(
        error.to_string(),
        "no healthy instances (last failure: exit code 1); a restart is due, retry in 10.0s"
    );
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn callers_of_a_pool_that_has_given_up_hear_so_at_once() {
    let (pool, manager) = running_with(no_retries(), InstanceSpec::numbered(1)).await;
    manager.kill(0, "exit code 1");
    quiet().await;
    let error = Asking::new(&pool, wish("ada")).error();
    assert_eq!(
        error.to_string(),
        "no healthy instances (last failure: exit code 1); \
         restart failed instances or use another pool"
    );
    assert!(!error.is_retryable());
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn those_who_wait_hear_it_as_soon_as_the_last_hope_is_gone() {
    let (pool, manager) = running(1).await;
    manager.always(Op::Create, 0, Act::error("no such file"));
    let held = lease(&pool, wish("ada")).await;
    let waiter = tokio::spawn({
        let pool = pool.clone();
        async move { pool.acquire(hasty("bob", seconds(3600))).await.map(drop) }
    });
    quiet().await;
    let start = tokio::time::Instant::now();
    manager.kill(0, "killed");
    let error = waiter.await.unwrap().unwrap_err();
    // Retries after 1, 2 and 4 seconds; then the attempts are used up.
    assert_eq!(start.elapsed(), seconds(7));
    let PoolError::NoHealthyInstances { last_failure, .. } = error else {
        panic!("should be about health: {error}");
    };
    assert_eq!(last_failure.as_deref(), Some("no such file"));
    drop(held);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_caller_with_a_short_deadline_gives_up_earlier_than_a_patient_one() {
    let (pool, manager) = running(1).await;
    manager.script(Op::Create, 0, [Act::error("no"), Act::error("no")]);
    let held = lease(&pool, wish("ada")).await;
    let hasty = Asking::waiting(&pool, hasty("ada", seconds(2)));
    let mut patient = Asking::waiting(&pool, wish("ada"));
    manager.kill(0, "killed");
    quiet().await;
    tokio::time::sleep(seconds(1)).await;
    // The first restart has failed at 1 s; the next comes at 3 s, too late for one of them.
    assert!(matches!(
        hasty.error(),
        PoolError::NoHealthyInstances { .. }
    ));
    patient.still_waits();
    tokio::time::sleep(seconds(6)).await;
    drop(patient.lease());
    drop(held);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn hope_for_a_keyed_caller_is_its_own_instance() {
    let specs = vec![InstanceSpec::new(0), InstanceSpec::new(1).alias("main")];
    let (pool, manager) = running_with(no_retries(), specs).await;
    let one = lease(&pool, wish("ada").only("1")).await;
    let keyed = Asking::waiting(&pool, wish("ada").only("main"));
    manager.kill(1, "exit code 9");
    quiet().await;
    let error = keyed.error();
    assert_eq!(
        error.to_string(),
        "no healthy instances: instance 1 (main) is not running (last failure: exit code 9); \
         restart failed instances or use another pool"
    );
    assert_eq!(lease(&pool, wish("ada")).await.id(), id(0));
    drop(one);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn one_that_lives_is_hope_for_everybody() {
    let (pool, manager) = running_with(no_retries(), InstanceSpec::numbered(2)).await;
    let zero = lease(&pool, wish("ada")).await;
    manager.kill(1, "killed");
    quiet().await;
    let waiter = Asking::waiting(&pool, wish("ada"));
    drop(zero);
    assert_eq!(waiter.lease().id(), id(0));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn an_empty_pool_offers_no_hope() {
    let (pool, manager) = running(0).await;
    let error = Asking::new(&pool, wish("ada")).error();
    assert!(matches!(error, PoolError::NoHealthyInstances { .. }));
    let error = Asking::new(&pool, wish("ada").only("0")).error();
    assert_eq!(
        error.to_string(),
        "no instance '0' in this pool; it has no instances, use another pool"
    );
    finish(pool, manager).await;
}
