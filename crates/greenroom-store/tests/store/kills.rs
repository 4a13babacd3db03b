//! SIGKILL at random moments under load: what was acknowledged is there, byte for byte.
#![allow(clippy::unwrap_used, missing_docs)]

use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use crate::support::victim::Victim;
use crate::support::{ada, pages};
use greenroom_store::{CallFilter, Check, Options, Outcome, PageRequest, PageStart, RefId, Store};

/// How often. More of it when asked for.
#[allow(
    clippy::disallowed_methods,
    reason = "how long a test takes is no configuration"
)]
fn rounds() -> usize {
    std::env::var("GREENROOM_SOAK")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(10)
}

/// A number that nobody can foresee.
fn chance(below: u64) -> u64 {
    RandomState::new().hash_one(below) % below
}

#[derive(Default)]
struct Told {
    acknowledged: Vec<(RefId, usize)>,
    hung: Vec<RefId>,
}

impl Told {
    fn hear(&mut self, line: &str) {
        let fields: Vec<&str> = line.split(' ').collect();
        match fields[..] {
            ["ack", ref_id, bytes] => {
                self.acknowledged
                    .push((ref_id.parse().unwrap(), bytes.parse().unwrap()));
            }
            ["hung", ref_id] => self.hung.push(ref_id.parse().unwrap()),
            _ => panic!("the victim said: {line}"),
        }
    }
}

/// Runs the victim, kills it after some acknowledgements, and says what it had said.
fn run_and_kill(database: &Path) -> Told {
    let mut told = Told::default();
    let mut victim = Victim::start("load", database);
    for _ in 0..=chance(250) {
        told.hear(&victim.line().expect("the victim lives"));
    }
    for line in victim.kill() {
        told.hear(&line);
    }
    told
}

async fn verify(store: &Store, told: &Told) {
    for &(ref_id, bytes) in &told.acknowledged {
        let result = store.result(ada(), ref_id).await.unwrap();
        assert!(
            result == pages::result_of(ref_id, bytes),
            "the result of {ref_id} differs"
        );
        let all = PageRequest {
            start: PageStart::Byte(0),
            max_lines: None,
            max_bytes: 1 << 20,
        };
        let page = store.page(ada(), ref_id, all).await.unwrap();
        assert!(
            page.text == pages::page_of(ref_id, bytes),
            "the page of {ref_id} differs"
        );
        assert_eq!(
            store.call(ada(), ref_id).await.unwrap().outcome,
            Outcome::Success
        );
    }
    for &ref_id in &told.hung {
        assert_eq!(
            store.call(ada(), ref_id).await.unwrap().outcome,
            Outcome::Unknown
        );
    }
    let every = CallFilter {
        limit: usize::MAX,
        ..CallFilter::default()
    };
    let calls = store.calls(ada(), every).await.unwrap();
    assert!(
        calls.iter().all(|call| call.outcome != Outcome::Running),
        "nothing runs any more"
    );
}

#[tokio::test]
async fn what_was_acknowledged_survives_a_kill_at_any_moment() {
    let dir = tempfile::tempdir().unwrap();
    let database = dir.path().join("g.db");
    let mut earlier = Told::default();
    for round in 0..rounds() {
        let told = run_and_kill(&database);
        let options = Options {
            check: Check::Always,
            ..Options::default()
        };
        let store = Store::open(&database, options).await.unwrap();
        verify(&store, &told).await;
        if round % 4 == 3 {
            // Compressed by now, and with other kills in between.
            store.settle().await.unwrap();
            verify(&store, &earlier).await;
        }
        store.close().await;
        assert!(!told.acknowledged.is_empty() || round > 0);
        earlier = told;
    }
}
