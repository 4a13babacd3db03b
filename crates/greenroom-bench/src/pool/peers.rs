//! The pools that are compared, each as light as it can be configured.

use std::convert::Infallible;
use std::future::Future;
use std::time::Duration;

use greenroom_pool::{CloseReason, Holder, InstanceId, InstanceSpec, Manager, Options, Request};

/// Nobody waits so long in a benchmark.
const PATIENT: Duration = Duration::from_secs(600);

/// A pool of instances that cost nothing.
pub(super) trait Peer: Clone + Send + Sync + 'static {
    const NAME: &'static str;
    type Lease: Send;

    /// A pool of `size` instances that all exist.
    fn make(size: u32) -> impl Future<Output = Self> + Send;

    fn lease(&self) -> impl Future<Output = Self::Lease> + Send;
}

/// The manager of all three: its instances are nothing and cost nothing.
pub(super) struct Nothing;

#[derive(Clone)]
pub(super) struct Greenroom {
    pool: greenroom_pool::Pool<Nothing>,
    holder: Holder,
}

impl Manager for Nothing {
    type Instance = ();
    type Error = Infallible;

    async fn create(&self, _: InstanceId) -> Result<(), Infallible> {
        Ok(())
    }

    async fn probe(&self, (): &()) -> Result<(), Infallible> {
        Ok(())
    }

    async fn reset(&self, (): &()) -> Result<(), Infallible> {
        Ok(())
    }

    async fn close(&self, (): &(), _: CloseReason) {}
}

impl Peer for Greenroom {
    const NAME: &'static str = "greenroom";
    type Lease = greenroom_pool::Lease<Nothing>;

    async fn make(size: u32) -> Self {
        let options = Options {
            max_queue: usize::MAX,
            ..Options::default()
        };
        let specs = InstanceSpec::numbered(size);
        let pool = greenroom_pool::Pool::new(Nothing, specs, options).expect("distinct names");
        let this = Self {
            pool,
            holder: Holder::new("bench"),
        };
        fill(&this, size).await;
        this
    }

    async fn lease(&self) -> Self::Lease {
        let request = Request::any(self.holder.clone(), PATIENT).activity("bench");
        self.pool.acquire(request).await.expect("a lease")
    }
}

#[derive(Clone)]
pub(super) struct Deadpool(deadpool::managed::Pool<Nothing>);

impl deadpool::managed::Manager for Nothing {
    type Type = ();
    type Error = Infallible;

    async fn create(&self) -> Result<(), Infallible> {
        Ok(())
    }

    async fn recycle(
        &self,
        (): &mut (),
        _: &deadpool::managed::Metrics,
    ) -> deadpool::managed::RecycleResult<Infallible> {
        Ok(())
    }
}

impl Peer for Deadpool {
    const NAME: &'static str = "deadpool";
    type Lease = deadpool::managed::Object<Nothing>;

    async fn make(size: u32) -> Self {
        let pool = deadpool::managed::Pool::builder(Nothing)
            .max_size(size as usize)
            .wait_timeout(Some(PATIENT))
            .runtime(deadpool::Runtime::Tokio1)
            .build()
            .expect("a valid configuration");
        let this = Self(pool);
        fill(&this, size).await;
        this
    }

    async fn lease(&self) -> Self::Lease {
        self.0.get().await.expect("a lease")
    }
}

#[derive(Clone)]
pub(super) struct Bb8(bb8::Pool<Nothing>);

impl bb8::ManageConnection for Nothing {
    type Connection = ();
    type Error = Infallible;

    async fn connect(&self) -> Result<(), Infallible> {
        Ok(())
    }

    async fn is_valid(&self, (): &mut ()) -> Result<(), Infallible> {
        Ok(())
    }

    fn has_broken(&self, (): &mut ()) -> bool {
        false
    }
}

impl Peer for Bb8 {
    const NAME: &'static str = "bb8";
    type Lease = bb8::PooledConnection<'static, Nothing>;

    async fn make(size: u32) -> Self {
        let pool = bb8::Pool::builder()
            .max_size(size)
            .min_idle(size)
            .test_on_check_out(false)
            .connection_timeout(PATIENT)
            .build(Nothing)
            .await
            .expect("a valid configuration");
        let this = Self(pool);
        fill(&this, size).await;
        this
    }

    async fn lease(&self) -> Self::Lease {
        self.0.get_owned().await.expect("a lease")
    }
}

/// Leases all instances at once, so that those that are made on demand exist afterwards.
async fn fill<P: Peer>(peer: &P, size: u32) {
    let mut leases = Vec::new();
    for _ in 0..size {
        leases.push(peer.lease().await);
    }
}
