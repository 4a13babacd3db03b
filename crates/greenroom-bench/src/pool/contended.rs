//! Many tasks on few instances, on all cores: everybody waits most of the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use tokio::sync::Barrier;

use super::Peer;
use crate::measure::{clock, per_step};

pub(super) const NAME: &str = "64 tasks on 4 instances, ns";

const TASKS: u32 = 64;
const INSTANCES: u32 = 4;
const LEASES: u32 = 12_800;

/// What the tasks share: the moment to begin, and the leases left to take.
struct Race {
    start: Barrier,
    left: AtomicU32,
}

/// Nanoseconds per lease and return, and how many leases each task got.
pub(super) async fn run<P: Peer>() -> (f64, Vec<u32>) {
    let peer = P::make(INSTANCES).await;
    let race = Arc::new(Race {
        start: Barrier::new(TASKS as usize + 1),
        left: AtomicU32::new(LEASES),
    });
    let tasks: Vec<_> = (0..TASKS)
        .map(|_| tokio::spawn(work(peer.clone(), Arc::clone(&race))))
        .collect();
    race.start.wait().await;
    let start = clock();
    let mut shares = Vec::new();
    for task in tasks {
        shares.push(task.await.expect("the task ends"));
    }
    (per_step(start.elapsed(), LEASES), shares)
}

/// Leases, gives way to others while it holds, returns; until all leases are used up.
async fn work<P: Peer>(peer: P, race: Arc<Race>) -> u32 {
    let mut share = 0;
    race.start.wait().await;
    while race
        .left
        .try_update(Relaxed, Relaxed, |left| left.checked_sub(1))
        .is_ok()
    {
        let lease = peer.lease().await;
        tokio::task::yield_now().await;
        drop(lease);
        share += 1;
    }
    share
}
