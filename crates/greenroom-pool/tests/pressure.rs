//! The owner of idle leases learns that somebody waits, and for what.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod common;

use common::{Asking, finish, id, lease, quiet, running, seconds, wish};
use futures::FutureExt as _;
use greenroom_testkit::gate::{Act, Op};

#[tokio::test(start_paused = true)]
async fn the_owner_of_an_idle_lease_can_give_way_to_one_who_waits_for_it() {
    let (pool, manager) = running(2).await;
    let mut idle = vec![
        lease(&pool, wish("ada")).await,
        lease(&pool, wish("ada")).await,
    ];
    let mut pressure = pool.pressure();
    let owner = tokio::spawn({
        let pool = pool.clone();
        async move {
            assert!(pressure.changed().await);
            let wanted = pool.waiters()[0].wanted.unwrap();
            let place = idle.iter().position(|lease| lease.id() == wanted).unwrap();
            idle.remove(place).release_reset();
            idle
        }
    });
    let served = pool.acquire(wish("bob").only("1")).await.unwrap();
    assert_eq!(served.id(), id(1));
    assert_eq!(owner.await.unwrap().len(), 1);
    drop(served);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn waiters_are_listed_in_the_order_in_which_they_came() {
    let (pool, manager) = running(1).await;
    let held = lease(&pool, wish("ada")).await;
    let plain = Asking::waiting(&pool, wish("bob"));
    tokio::time::sleep(seconds(2)).await;
    let keyed = Asking::waiting(&pool, wish("eve").only("0"));
    tokio::time::sleep(seconds(1)).await;
    let waiters = pool.waiters();
    assert_eq!(waiters.len(), 2);
    assert_eq!(
        (waiters[0].wanted, waiters[0].waiting_for),
        (None, seconds(3))
    );
    assert_eq!(
        (waiters[1].wanted, waiters[1].waiting_for),
        (Some(id(0)), seconds(1))
    );
    assert_eq!(waiters[1].holder.tag(), "eve");
    drop((plain, keyed, held));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn nobody_is_told_while_everybody_is_served_at_once() {
    let (pool, manager) = running(1).await;
    let mut pressure = pool.pressure();
    drop(lease(&pool, wish("ada")).await);
    drop(lease(&pool, wish("ada")).await);
    quiet().await;
    assert!(pressure.changed().now_or_never().is_none());
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_change_that_came_before_somebody_listens_is_not_missed() {
    let (pool, manager) = running(1).await;
    let mut pressure = pool.pressure();
    let held = lease(&pool, wish("ada")).await;
    let waiter = Asking::waiting(&pool, wish("ada"));
    assert_eq!(pressure.changed().now_or_never(), Some(true));
    assert!(pressure.changed().now_or_never().is_none());
    drop(waiter);
    assert_eq!(pressure.changed().now_or_never(), Some(true));
    drop(held);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_failed_start_is_news_while_somebody_waits() {
    let (pool, manager) = running(2).await;
    let held = lease(&pool, wish("ada")).await;
    manager.script(Op::Create, 1, [Act::error("no such file")]);
    manager.kill(1, "killed");
    quiet().await;
    let waiter = Asking::waiting(&pool, wish("bob"));
    let mut pressure = pool.pressure();
    assert!(pressure.changed().now_or_never().is_none());
    tokio::time::sleep(seconds(1)).await;
    assert_eq!(manager.calls(Op::Create, 1), 2);
    assert_eq!(pressure.changed().now_or_never(), Some(true));
    drop((waiter, held));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_failed_reset_is_news_while_somebody_waits() {
    let (pool, manager) = running(2).await;
    let held = lease(&pool, wish("ada")).await;
    let returned = lease(&pool, wish("ada")).await;
    manager.script(Op::Reset, 1, [Act::Held]);
    manager.always(Op::Create, 1, Act::Never);
    returned.release_reset();
    quiet().await;
    let waiter = Asking::waiting(&pool, wish("bob"));
    let mut pressure = pool.pressure();
    assert!(manager.answer(Op::Reset, 1, Err("stuck".into())));
    quiet().await;
    assert_eq!(pressure.changed().now_or_never(), Some(true));
    drop((waiter, held));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_failure_is_no_news_while_nobody_waits() {
    let (pool, manager) = running(1).await;
    let mut pressure = pool.pressure();
    manager.always(Op::Create, 0, Act::error("no such file"));
    manager.kill(0, "killed");
    tokio::time::sleep(seconds(60)).await;
    assert!(pressure.changed().now_or_never().is_none());
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn listening_ends_with_the_pool() {
    let (pool, manager) = running(1).await;
    let mut pressure = pool.pressure();
    drop(pool);
    quiet().await;
    assert!(!pressure.changed().await);
    manager.assert_balanced();
}
