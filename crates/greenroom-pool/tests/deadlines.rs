//! Waiting is bounded: in time, and in how many may wait.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod common;

use std::time::Duration;

use common::{Asking, finish, hasty, id, lease, quiet, running, running_with, seconds, wish};
use greenroom_pool::{InstanceSpec, Options, PoolError};
use tokio::time::Instant;

#[tokio::test(start_paused = true)]
async fn a_waiter_hears_at_its_deadline_who_holds_and_how_many_wait() {
    let specs = vec![InstanceSpec::new(0), InstanceSpec::new(1).alias("main")];
    let (pool, manager) = running_with(Options::default(), specs).await;
    let zero = lease(&pool, wish("ada").activity("browser_click")).await;
    let one = lease(&pool, wish("bob")).await;
    let other = Asking::waiting(&pool, wish("eve"));
    let start = Instant::now();
    let error = pool.acquire(hasty("eve", seconds(30))).await.unwrap_err();
    assert_eq!(start.elapsed(), seconds(30));

    let PoolError::Timeout {
        waited,
        wanted,
        waiters,
        held,
    } = &error
    else {
        panic!("should be a timeout: {error}");
    };
    assert_eq!((*waited, wanted, *waiters), (seconds(30), &None, 2));
    assert_eq!(held.len(), 2);
    assert_eq!(held[0].instance.id, id(0));
    assert_eq!(held[0].activity.as_deref(), Some("browser_click"));
    assert_eq!(held[0].held_for, seconds(30));
    assert_eq!(held[1].instance.alias.as_deref(), Some("main"));
    assert_eq!(
        error.to_string(),
        "timed out after 30.0s waiting for a free instance, 2 waiting; \
         instance 0 held for 30.0s by browser_click; instance 1 (main) held for 30.0s; \
         retry later or with a longer timeout"
    );
    drop((zero, one, other));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_keyed_waiter_hears_of_its_own_instance_only() {
    let (pool, manager) = running(2).await;
    let zero = lease(&pool, wish("ada")).await;
    let one = lease(&pool, wish("ada")).await;
    let request = hasty("eve", seconds(1)).only("1");
    let error = pool.acquire(request).await.unwrap_err();
    let PoolError::Timeout { wanted, held, .. } = error else {
        panic!("should be a timeout: {error}");
    };
    assert_eq!(wanted.unwrap().id, id(1));
    assert_eq!(
        held.iter().map(|it| it.instance.id).collect::<Vec<_>>(),
        [id(1)]
    );
    drop((zero, one));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn no_time_to_wait_still_gets_what_is_free() {
    let (pool, manager) = running(1).await;
    let held = pool.acquire(hasty("ada", Duration::ZERO)).await.unwrap();
    let refused = pool.acquire(hasty("ada", Duration::ZERO)).await;
    assert!(matches!(refused, Err(PoolError::Timeout { .. })));
    drop(held);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn the_longest_timeout_there_is_means_no_deadline() {
    let (pool, manager) = running(1).await;
    let held = lease(&pool, wish("ada")).await;
    let patient = Asking::waiting(&pool, hasty("ada", Duration::MAX));
    drop(held);
    drop(patient.lease());
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn whoever_finds_the_queue_full_is_refused_at_once_with_a_hint() {
    let options = Options {
        max_queue: 2,
        ..Options::default()
    };
    let (pool, manager) = running_with(options, InstanceSpec::numbered(2)).await;
    let zero = lease(&pool, wish("ada").only("0")).await;
    let one = lease(&pool, wish("ada").only("1")).await;
    let first = Asking::waiting(&pool, wish("ada").only("1"));
    tokio::time::sleep(seconds(3)).await;
    let second = Asking::waiting(&pool, wish("ada"));

    let error = Asking::new(&pool, wish("ada")).error();
    let expected = PoolError::QueueFull {
        waiters: 2,
        retry_after: seconds(3),
    };
    assert_eq!(error, expected);
    assert_eq!(
        error.to_string(),
        "the queue is full with 2 waiting; retry in 3.0s"
    );
    assert_eq!(pool.counters().acquires_refused, 1);

    drop(first);
    let third = Asking::waiting(&pool, wish("ada"));
    drop((zero, one, second, third));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_full_queue_does_not_keep_a_newcomer_from_what_is_free() {
    let options = Options {
        max_queue: 1,
        ..Options::default()
    };
    let (pool, manager) = running_with(options, InstanceSpec::numbered(2)).await;
    let zero = lease(&pool, wish("ada").only("0")).await;
    let keyed = Asking::waiting(&pool, wish("ada").only("0"));
    assert_eq!(lease(&pool, wish("ada")).await.id(), id(1));
    drop(zero);
    drop(keyed.lease());
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn an_unknown_instance_is_refused_at_once_with_a_list_of_what_exists() {
    let specs = vec![InstanceSpec::new(0), InstanceSpec::new(1).alias("main")];
    let (pool, manager) = running_with(Options::default(), specs).await;
    for key in ["7", "Main", "01", "", "main "] {
        let error = Asking::new(&pool, wish("ada").only(key)).error();
        assert_eq!(
            error.to_string(),
            format!("no instance '{key}' in this pool; use one of: 0, 1 (main)")
        );
        assert!(error.is_bad_request());
    }
    assert_eq!(pool.counters().acquires_unknown, 5);
    quiet().await;
    finish(pool, manager).await;
}
