//! Waiting for a lease, and leaving at any moment without a trace.
//!
//! There is one await point in an acquisition, and one guard stands over it. Whoever drops the
//! future there, or lets it be cancelled, makes the guard give back what the claim holds by then:
//! a place in the queue, an instance that is being reset, or a grant that came too late to be
//! seen. The reset itself is the supervisor's business and goes on for whoever comes next, so an
//! impatient caller never costs an instance.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::time::{Instant, timeout_at};

use crate::claim::Grant;
use crate::error::PoolError;
use crate::inner::Admission;
use crate::lease::Lease;
use crate::manager::Manager;
use crate::pool::Pool;
use crate::queue::Ticket;
use crate::request::Request;
use crate::shared::Shared;

impl<M: Manager> Pool<M> {
    /// Leases an instance.
    ///
    /// A caller's place in the order of arrival is drawn when this future is first polled. The
    /// future may be dropped at any time.
    ///
    /// # Errors
    ///
    /// [`PoolError::UnknownInstance`], [`PoolError::QueueFull`] and [`PoolError::Closed`] at once;
    /// [`PoolError::NoHealthyInstances`] as soon as nothing that would do runs or is due to run
    /// before the deadline; [`PoolError::Timeout`] at the deadline.
    pub async fn acquire(&self, request: Request) -> Result<Lease<M>, PoolError> {
        let now = Instant::now();
        let admission = self.shared.lock().admit(request, now)?;
        let grant = match admission {
            Admission::Granted(grant) => grant,
            Admission::Waiting { ticket, deadline } => {
                Waiting::new(&self.shared, ticket).until(deadline).await?
            }
        };
        Ok(Lease::new(&self.shared, grant))
    }
}

/// Stands over a claim until it has been answered.
struct Waiting<'a, M: Manager> {
    shared: &'a Shared<M>,
    ticket: Ticket,
    answered: bool,
}

impl<'a, M: Manager> Waiting<'a, M> {
    fn new(shared: &'a Shared<M>, ticket: Ticket) -> Self {
        Self {
            shared,
            ticket,
            answered: false,
        }
    }

    async fn until(mut self, deadline: Instant) -> Result<Grant<M::Instance>, PoolError> {
        if let Ok(answer) = timeout_at(deadline, &mut self).await {
            return answer;
        }
        self.answered = true;
        self.shared.lock().expire(self.ticket, Instant::now())
    }
}

impl<M: Manager> Future for Waiting<'_, M> {
    type Output = Result<Grant<M::Instance>, PoolError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = self.shared.lock().poll_claim(self.ticket, cx.waker());
        match answer {
            Some(answer) => {
                self.answered = true;
                Poll::Ready(answer)
            }
            None => Poll::Pending,
        }
    }
}

impl<M: Manager> Drop for Waiting<'_, M> {
    fn drop(&mut self) {
        if !self.answered {
            self.shared.lock().abandon(self.ticket, Instant::now());
        }
    }
}
