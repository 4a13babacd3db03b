//! Random histories of a pool against a reference that is simple enough to be obviously right.
//!
//! The pool runs for real on a single-threaded runtime under paused time. Acquisitions are polled
//! by hand, and every creation and reset waits until the history lets it succeed or fail, so that
//! a history can stop anything at any point. After every event the whole pool is compared with
//! the reference: who holds what, who waits in which order, and whether the counters add up.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

#[path = "../common/mod.rs"]
mod common;
mod driver;
mod event;
mod reference;

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

fn config() -> ProptestConfig {
    let file = FileFailurePersistence::WithSource("regressions");
    ProptestConfig {
        failure_persistence: Some(Box::new(file)),
        max_shrink_iters: 20_000,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_pool_behaves_like_its_reference_whatever_happens(
        history in prop::collection::vec(event::any_event(), 1..120),
    ) {
        driver::run(&history);
    }
}
