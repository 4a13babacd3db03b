//! Fair, keyed, cancel-safe leases over supervised instances of anything.
//!
//! A [`Pool`] keeps instances that a [`Manager`] knows how to make, probe, reset and close, and
//! leases each to one holder at a time. It knows nothing of what an instance is.
//!
//! # Theory of operation
//!
//! All that is true about a pool is written in its *books* (`inner`), behind one lock that is
//! never held across an await. A step in the books is plain code: it takes the time as an
//! argument, changes the state, and leaves behind whom to wake once the lock is released.
//!
//! - **Callers** ([`Pool::acquire`]) take a free instance in one step, or draw a ticket and wait
//!   for an answer. Whoever returns an instance hands it to the next waiter in the same step, so
//!   nobody can get in between; the order is written down in `queue`. A caller that goes away
//!   takes back its step, whichever it had reached.
//! - **Supervisors**, one task per instance, act for the books: create, probe, reset, close,
//!   restart with back-off. Every life of an instance has a [`Generation`]; a report or a returned
//!   [`Lease`] of a former one changes nothing.
//! - **Worlds**: an instance remembers who used it last. The same [`Holder`] finds it as it was
//!   left; for any other it is reset first, and destroyed if that cannot be proved.
//! - **Hope**: a caller waits only while something that would do runs, starts, or is due to be
//!   restarted before the caller's deadline. When the last of these is gone it hears so at once.
//!
//! [`Pool::snapshot`] and [`Pool::counters`] read the books; nothing is counted twice.
//!
//! ```
//! # use std::{convert::Infallible, time::Duration};
//! # use greenroom_pool::{CloseReason, Holder, InstanceId, InstanceSpec, Manager, Options, Pool, Request};
//! struct Desks;
//!
//! impl Manager for Desks {
//!     type Instance = String;
//!     type Error = Infallible;
//!
//!     async fn create(&self, id: InstanceId) -> Result<String, Infallible> {
//!         Ok(format!("desk {id}"))
//!     }
//!     async fn probe(&self, _: &String) -> Result<(), Infallible> {
//!         Ok(())
//!     }
//!     async fn reset(&self, _: &String) -> Result<(), Infallible> {
//!         Ok(())
//!     }
//!     async fn close(&self, _: &String, _: CloseReason) {}
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), greenroom_pool::PoolError> {
//! let pool = Pool::new(Desks, InstanceSpec::numbered(2), Options::default())?;
//! let wish = Request::any(Holder::new("ada"), Duration::from_secs(5)).activity("writing");
//! let desk = pool.acquire(wish).await?;
//! assert!(desk.starts_with("desk"));
//! drop(desk);
//! pool.close().await;
//! # Ok(())
//! # }
//! ```

mod acquire;
mod backoff;
mod caught;
mod claim;
mod effects;
mod error;
mod inner;
mod instance;
mod lease;
mod live;
mod manager;
mod options;
mod pool;
mod pressure;
mod queue;
mod request;
mod shared;
mod slot;
mod snapshot;
mod stats;
mod supervise;

pub use claim::World;
pub use error::{HeldBy, PoolError};
pub use instance::{Generation, InstanceId, InstanceName, InstanceSpec};
pub use lease::Lease;
pub use live::Live;
pub use manager::{CloseReason, Manager};
pub use options::{Health, Options, Restart};
pub use pool::{Pool, Restarting};
pub use pressure::Pressure;
pub use request::{Activity, Holder, Request};
pub use snapshot::{CheckView, FailureView, InstanceView, LeaseView, Snapshot, Status, WaiterView};
pub use stats::Counters;
