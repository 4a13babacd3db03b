//! Legacy sessions: rmcp keeps their messages, this keeps their owners and their number.
//!
//! rmcp's own table knows neither a cap nor a principal. This one stands in front of it and sees
//! both ends of every session: rmcp asks it to create one for `initialize`, and to close one after
//! a DELETE as well as after its worker ended for any other reason, expiry included.
//!
//! rmcp does not say for which request a session is created, so [`Arrival`] travels beside the
//! request as a task-local; the future that creates the session is the one that serves the request.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use futures::Stream;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, SessionConfig,
};
use rmcp::transport::streamable_http_server::session::{
    ServerSseMessage, SessionId, SessionManager,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use super::connection::Connection;
use crate::identity::Principal;
use crate::service::Service;

tokio::task_local! {
    /// The HTTP request that the current task is serving.
    static ARRIVAL: Arc<Arrival>;
}

/// What a session needs to know of the request that opens it, and the request of it.
pub(crate) struct Arrival {
    principal: Principal,
    refused: AtomicBool,
}

impl Arrival {
    pub(crate) fn of(principal: Principal) -> Arc<Self> {
        Arc::new(Self {
            principal,
            refused: AtomicBool::new(false),
        })
    }

    /// Runs `serving` as the service of this request.
    pub(crate) async fn serve<T>(self: &Arc<Self>, serving: impl Future<Output = T>) -> T {
        ARRIVAL.scope(self.clone(), serving).await
    }

    /// Whether a session was refused for want of room.
    pub(crate) fn was_refused(&self) -> bool {
        self.refused.load(Ordering::Relaxed)
    }
}

/// All open legacy sessions.
pub(crate) struct Sessions {
    service: Service,
    cut_off: CancellationToken,
    local: LocalSessionManager,
    room: Arc<Semaphore>,
    open: Mutex<HashMap<SessionId, Open>>,
}

struct Open {
    connection: Arc<Connection>,
    _room: OwnedSemaphorePermit,
}

/// Why a session manager could not do what rmcp asked of it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SessionError {
    #[error("too many sessions are open: close one with DELETE, or retry later")]
    Full,
    #[error("BUG: a session was created outside of a request")]
    NoRequest,
    #[error(transparent)]
    Local(#[from] LocalSessionManagerError),
}

impl Sessions {
    pub(crate) fn new(
        service: Service,
        cap: usize,
        config: SessionConfig,
        cut_off: CancellationToken,
    ) -> Self {
        let mut local = LocalSessionManager::default();
        local.session_config = config;
        Self {
            service,
            cut_off,
            local,
            room: Arc::new(Semaphore::new(cap)),
            open: Mutex::default(),
        }
    }

    /// The session `id`, if it is open and belongs to `principal`.
    pub(crate) fn find(&self, id: &str, principal: &Principal) -> Option<Arc<Connection>> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = &open.get(id)?.connection;
        connection.belongs_to(principal).then(|| connection.clone())
    }

    /// Ends every session.
    pub(crate) async fn close_all(&self) {
        for id in self.ids() {
            // Closing a local session fails only if it has ended by itself.
            let _ = self.close_session(&id).await;
        }
    }

    fn ids(&self) -> Vec<SessionId> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.keys().cloned().collect()
    }

    fn remember(&self, id: SessionId, principal: Principal, room: OwnedSemaphorePermit) {
        let entry = Open {
            connection: Connection::open(&self.service, principal, &self.cut_off),
            _room: room,
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.insert(id, entry);
    }

    fn forget(&self, id: &str) -> Option<Open> {
        self.open
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(id)
    }
}

impl SessionManager for Sessions {
    type Error = SessionError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        let arrival = ARRIVAL
            .try_with(Arc::clone)
            .map_err(|_| SessionError::NoRequest)?;
        let Ok(room) = self.room.clone().try_acquire_owned() else {
            arrival.refused.store(true, Ordering::Relaxed);
            return Err(SessionError::Full);
        };
        let (id, transport) = self.local.create_session().await?;
        self.remember(id.clone(), arrival.principal.clone(), room);
        Ok((id, transport))
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        // Its calls are dropped first: rmcp would let them run on for seconds.
        if let Some(open) = self.forget(id) {
            open.connection.end();
        }
        Ok(self.local.close_session(id).await?)
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        Ok(self.local.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        Ok(self.local.has_session(id).await?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        Ok(self.local.create_stream(id, message).await?)
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), Self::Error> {
        Ok(self.local.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        Ok(self.local.create_standalone_stream(id).await?)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        Ok(self.local.resume(id, last_event_id).await?)
    }
}
