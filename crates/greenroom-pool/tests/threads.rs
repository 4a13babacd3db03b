//! The same promises with real threads: many tasks, random cancellation, real time.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use common::{TestPool, finish, wish};
use futures::FutureExt as _;
use greenroom_pool::{InstanceSpec, Options, Pool};
use greenroom_testkit::gate::GatedManager;

const INSTANCES: u32 = 3;
const TASKS: u64 = 24;
const ROUNDS: u64 = 400;

/// Who is inside which instance; two at once would be seen.
struct Watch {
    occupied: [AtomicBool; INSTANCES as usize],
    served: AtomicU64,
}

async fn work(pool: TestPool, watch: Arc<Watch>, seed: u64) {
    let mut dice = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    for _ in 0..ROUNDS {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        let tag = if dice.is_multiple_of(5) { "bob" } else { "ada" };
        let mut request = wish(tag);
        if dice.is_multiple_of(3) {
            request = request.only((dice % u64::from(INSTANCES)).to_string());
        }
        let mut asking = Box::pin(pool.acquire(request));
        if dice.is_multiple_of(7) {
            // Gone after one poll, wherever that got it.
            drop(asking.as_mut().now_or_never());
            continue;
        }
        let lease = asking.await.unwrap();
        let place = &watch.occupied[lease.id().number() as usize];
        assert!(!place.swap(true, Ordering::SeqCst), "held twice");
        tokio::task::yield_now().await;
        place.store(false, Ordering::SeqCst);
        watch.served.fetch_add(1, Ordering::Relaxed);
        match dice % 31 {
            0 => lease.poison("unlucky"),
            1 | 2 => lease.release_reset(),
            _ => drop(lease),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nothing_is_held_twice_lost_or_forgotten_with_many_threads() {
    let options = Options {
        max_queue: usize::MAX,
        ..Options::default()
    };
    let manager = GatedManager::new();
    let pool = Pool::new(manager.clone(), InstanceSpec::numbered(INSTANCES), options).unwrap();
    let watch = Arc::new(Watch {
        occupied: Default::default(),
        served: AtomicU64::new(0),
    });
    let tasks: Vec<_> = (1..=TASKS)
        .map(|seed| tokio::spawn(work(pool.clone(), Arc::clone(&watch), seed)))
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let counters = pool.counters();
    assert_eq!(counters.acquires_started, TASKS * ROUNDS);
    assert_eq!(counters.acquires_in_flight(), 0);
    assert_eq!(counters.leases_out(), 0);
    assert!(watch.served.load(Ordering::Relaxed) > TASKS * ROUNDS / 2);
    finish(pool, manager).await;
}
