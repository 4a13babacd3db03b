//! One task that leases and returns, and never has to wait.

use super::Peer;
use crate::measure::{clock, per_step};

const STEPS: u32 = 50_000;

/// Nanoseconds per lease and return.
pub(super) async fn run<P: Peer>() -> f64 {
    let peer = P::make(4).await;
    let measured = tokio::spawn(async move {
        steps(&peer, STEPS / 10).await;
        let start = clock();
        steps(&peer, STEPS).await;
        per_step(start.elapsed(), STEPS)
    });
    measured.await.expect("the task ends")
}

async fn steps<P: Peer>(peer: &P, count: u32) {
    for _ in 0..count {
        drop(peer.lease().await);
    }
}
