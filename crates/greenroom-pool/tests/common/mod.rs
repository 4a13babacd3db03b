//! What the tests of this crate share: short ways to make pools, to ask, and to close the books.

#![allow(
    dead_code,
    reason = "every test file is its own crate and uses a part of this"
)]

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use greenroom_pool::{Holder, InstanceId, InstanceSpec, Lease, Options, Pool, PoolError, Request};
use greenroom_testkit::gate::GatedManager;

pub type TestPool = Pool<GatedManager>;
pub type TestLease = Lease<GatedManager>;
pub type Answer = Result<TestLease, PoolError>;

/// Longer than any test waits under paused time.
pub const PATIENT: Duration = Duration::from_secs(24 * 3600);

pub fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

pub fn id(number: u32) -> InstanceId {
    InstanceId::new(number)
}

/// A pool whose instances all run.
pub async fn running(count: u32) -> (TestPool, GatedManager) {
    running_with(Options::default(), InstanceSpec::numbered(count)).await
}

pub async fn running_with(options: Options, specs: Vec<InstanceSpec>) -> (TestPool, GatedManager) {
    let manager = GatedManager::new();
    let pool = Pool::new(manager.clone(), specs, options).unwrap();
    quiet().await;
    let snapshot = pool.snapshot();
    assert_eq!(snapshot.healthy(), snapshot.total(), "all instances run");
    (pool, manager)
}

/// Lets every task do all it can. Time is paused, so the timer fires when nothing else is left
/// to do; a millisecond passes.
pub async fn quiet() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

/// A patient wish of this holder.
pub fn wish(tag: &str) -> Request {
    Request::any(Holder::new(tag), PATIENT)
}

/// A wish with a deadline.
pub fn hasty(tag: &str, timeout: Duration) -> Request {
    Request::any(Holder::new(tag), timeout)
}

/// Leases an instance that must be free.
pub async fn lease(pool: &TestPool, request: Request) -> TestLease {
    Asking::new(pool, request).lease()
}

/// An acquisition that the test polls by hand, so that it decides what happens between two polls.
pub struct Asking {
    future: Pin<Box<dyn Future<Output = Answer> + Send>>,
}

impl Asking {
    /// Asks and takes its place in the order of arrival, or has its answer at once.
    pub fn new(pool: &TestPool, request: Request) -> Self {
        let pool = pool.clone();
        let future = Box::pin(async move { pool.acquire(request).await });
        Self { future }
    }

    /// Asks, and must wait.
    pub fn waiting(pool: &TestPool, request: Request) -> Self {
        let mut asking = Self::new(pool, request);
        asking.still_waits();
        asking
    }

    pub fn poll(&mut self) -> Poll<Answer> {
        self.future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
    }

    pub fn answer(mut self) -> Answer {
        match self.poll() {
            Poll::Ready(answer) => answer,
            Poll::Pending => panic!("there should be an answer"),
        }
    }

    pub fn lease(self) -> TestLease {
        self.answer().unwrap()
    }

    pub fn error(self) -> PoolError {
        self.answer().unwrap_err()
    }

    pub fn still_waits(&mut self) {
        if let Poll::Ready(answer) = self.poll() {
            panic!("should wait, but was answered: {answer:?}");
        }
    }
}

/// Closes the pool and checks that the books of pool and manager agree and are balanced.
pub async fn finish(pool: TestPool, manager: GatedManager) {
    pool.close().await;
    manager.assert_balanced();
    let counters = pool.counters();
    assert_eq!(counters.acquires_in_flight(), 0, "nobody is forgotten");
    assert_eq!(counters.leases_out(), 0, "no lease is forgotten");
    assert_eq!(counters.creations_in_flight(), 0);
    assert_eq!(counters.closed_in_all(), counters.creations_succeeded);
    assert_eq!(pool.snapshot().total(), 0, "a closed pool is empty");
}
