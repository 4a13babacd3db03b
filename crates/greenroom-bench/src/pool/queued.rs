//! A long queue, built up while all instances are out, then worked off.
//!
//! On one thread, because only there the order of arrival is known to the benchmark.

use std::sync::{Arc, Mutex};

use super::Peer;
use crate::measure::{clock, per_step};

pub(super) const NAME: &str = "1000 waiters on 4 instances, ns";

const WAITERS: u32 = 1000;
const INSTANCES: u32 = 4;

/// Nanoseconds per waiter, from its arrival to the last one's return, and the order of service.
pub(super) async fn run<P: Peer>() -> (f64, Vec<u32>) {
    let peer = P::make(INSTANCES).await;
    let mut held = Vec::new();
    for _ in 0..INSTANCES {
        held.push(peer.lease().await);
    }
    let order = Arc::new(Mutex::new(Vec::new()));
    let start = clock();
    let waiters: Vec<_> = (0..WAITERS)
        .map(|number| tokio::spawn(wait(peer.clone(), number, Arc::clone(&order))))
        .collect();
    // Tasks of one thread run in turn: when this one comes back, all others have begun to wait.
    tokio::task::yield_now().await;
    drop(held);
    for waiter in waiters {
        waiter.await.expect("the task ends");
    }
    let time = per_step(start.elapsed(), WAITERS);
    let order = std::mem::take(&mut *order.lock().expect("no panic"));
    (time, order)
}

async fn wait<P: Peer>(peer: P, number: u32, order: Arc<Mutex<Vec<u32>>>) {
    let lease = peer.lease().await;
    order.lock().expect("no panic").push(number);
    tokio::task::yield_now().await;
    drop(lease);
}
