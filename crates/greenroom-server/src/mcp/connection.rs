//! A connection: what owns an implicit session, for exactly as long as somebody may use it.
//!
//! A byte stream has one for its whole life. A legacy HTTP session has one from `initialize` until
//! it is deleted or expires. Every running call holds its connection, so the service hears of the
//! end only after the last call is gone, and never twice.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::identity::{Caller, ConnectionId, Principal};
use crate::service::Service;

/// One open connection. Dropping the last handle closes it in the service.
pub(crate) struct Connection {
    service: Service,
    id: ConnectionId,
    principal: Principal,
    ended: CancellationToken,
}

impl Connection {
    /// Opens a connection that ends by itself when `cut_off` fires.
    pub(crate) fn open(
        service: &Service,
        principal: Principal,
        cut_off: &CancellationToken,
    ) -> Arc<Self> {
        Arc::new(Self {
            service: service.clone(),
            id: service.open_connection(),
            principal,
            ended: cut_off.child_token(),
        })
    }

    /// The peer is gone: calls in flight are dropped.
    pub(crate) fn end(&self) {
        self.ended.cancel();
    }

    /// Resolves when the peer is gone.
    pub(crate) async fn ended(&self) {
        self.ended.cancelled().await;
    }

    pub(crate) fn belongs_to(&self, principal: &Principal) -> bool {
        self.principal == *principal
    }

    pub(crate) fn caller(&self) -> Caller {
        Caller {
            principal: self.principal.clone(),
            connection: Some(self.id),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.service.close_connection(self.id);
    }
}
