//! Who gets which instance, and when.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod common;

use common::{Asking, finish, id, lease, quiet, running, running_with, wish};
use greenroom_pool::{InstanceSpec, Options};

#[tokio::test(start_paused = true)]
async fn the_free_instance_that_came_back_earliest_is_leased_first() {
    let (pool, manager) = running(3).await;
    let a = lease(&pool, wish("ada")).await;
    let b = lease(&pool, wish("ada")).await;
    let c = lease(&pool, wish("ada")).await;
    let (a_id, b_id, c_id) = (a.id(), b.id(), c.id());
    drop(b);
    drop(c);
    drop(a);
    let again = [
        lease(&pool, wish("ada")).await,
        lease(&pool, wish("ada")).await,
        lease(&pool, wish("ada")).await,
    ];
    assert_eq!(again.each_ref().map(|it| it.id()), [b_id, c_id, a_id]);
    drop(again);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn those_who_wait_are_served_in_the_order_in_which_they_came() {
    let (pool, manager) = running(1).await;
    let held = lease(&pool, wish("ada")).await;
    let first = Asking::waiting(&pool, wish("ada"));
    let mut second = Asking::waiting(&pool, wish("ada"));
    drop(held);
    second.still_waits();
    drop(first.lease());
    drop(second.lease());
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_newcomer_does_not_overtake_somebody_who_has_yet_to_notice_its_grant() {
    let (pool, manager) = running(1).await;
    let held = lease(&pool, wish("ada")).await;
    let early = Asking::waiting(&pool, wish("ada"));
    drop(held);
    let late = Asking::waiting(&pool, wish("ada"));
    drop(early.lease());
    drop(late.lease());
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn keyed_and_plain_waiters_of_one_instance_are_served_by_arrival() {
    let (pool, manager) = running(2).await;
    let zero = lease(&pool, wish("ada").only("0")).await;
    let one = lease(&pool, wish("ada").only("1")).await;
    let keyed = Asking::waiting(&pool, wish("ada").only("1"));
    let plain = Asking::waiting(&pool, wish("ada"));
    let keyed_late = Asking::waiting(&pool, wish("ada").only("1"));

    drop(one);
    let served = keyed.lease();
    assert_eq!(served.id(), id(1));
    drop(served);
    let served = plain.lease();
    assert_eq!(served.id(), id(1));
    drop(served);
    assert_eq!(keyed_late.lease().id(), id(1));
    drop(zero);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn a_keyed_waiter_leaves_other_instances_to_those_who_came_later() {
    let (pool, manager) = running(2).await;
    let zero = lease(&pool, wish("ada").only("0")).await;
    let one = lease(&pool, wish("ada").only("1")).await;
    let mut keyed = Asking::waiting(&pool, wish("ada").only("1"));
    let plain = Asking::waiting(&pool, wish("ada"));

    drop(zero);
    assert_eq!(plain.lease().id(), id(0));
    keyed.still_waits();
    // The instance that the keyed waiter cannot use is free for newcomers as well.
    assert_eq!(lease(&pool, wish("ada")).await.id(), id(0));
    drop(one);
    assert_eq!(keyed.lease().id(), id(1));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn an_alias_is_another_name_of_one_instance() {
    let specs = vec![InstanceSpec::new(0), InstanceSpec::new(1).alias("main")];
    let (pool, manager) = running_with(Options::default(), specs).await;
    let by_alias = lease(&pool, wish("ada").only("main")).await;
    assert_eq!(by_alias.id(), id(1));
    let by_id = Asking::waiting(&pool, wish("ada").only("1"));
    let by_alias_too = Asking::waiting(&pool, wish("ada").only("main"));
    assert_eq!(lease(&pool, wish("ada")).await.id(), id(0));
    drop(by_alias);
    assert_eq!(by_id.lease().id(), id(1));
    assert_eq!(by_alias_too.lease().id(), id(1));
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn instances_are_leased_in_the_order_in_which_they_came_up() {
    let manager = greenroom_testkit::gate::GatedManager::new();
    let gate = manager.gate(greenroom_testkit::gate::Op::Create, 0);
    let specs = InstanceSpec::numbered(2);
    let pool = greenroom_pool::Pool::new(manager.clone(), specs, Options::default()).unwrap();
    quiet().await;
    gate.open();
    quiet().await;
    let first = lease(&pool, wish("ada")).await;
    assert_eq!(first.id(), id(1));
    assert_eq!(lease(&pool, wish("ada")).await.id(), id(0));
    drop(first);
    finish(pool, manager).await;
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_waiters_are_all_served_in_order() {
    const WAITERS: usize = 10_000;
    let options = Options {
        max_queue: WAITERS,
        ..Options::default()
    };
    let (pool, manager) = running_with(options, InstanceSpec::numbered(4)).await;
    let mut held = Vec::new();
    for _ in 0..4 {
        held.push(lease(&pool, wish("ada")).await);
    }
    let (served, mut order) = tokio::sync::mpsc::unbounded_channel();
    let waiters: Vec<_> = (0..WAITERS)
        .map(|number| {
            let (pool, served) = (pool.clone(), served.clone());
            tokio::spawn(async move {
                let lease = pool.acquire(wish("ada")).await.unwrap();
                served.send(number).unwrap();
                tokio::task::yield_now().await;
                drop(lease);
            })
        })
        .collect();
    quiet().await;
    assert_eq!(pool.waiters().len(), WAITERS);
    drop(held);
    for waiter in waiters {
        waiter.await.unwrap();
    }
    drop(served);
    let mut expected = 0;
    while let Some(number) = order.recv().await {
        assert_eq!(number, expected, "served out of order");
        expected += 1;
    }
    assert_eq!(expected, WAITERS);
    finish(pool, manager).await;
}
