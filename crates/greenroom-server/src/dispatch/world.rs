//! Which world a call runs in: a session's, or a plain lease of an instance.

use std::sync::Arc;

use greenroom_browser::call::Reply;

use super::{CallError, Dispatcher};
use crate::fleet::{BrowserLease, BrowserPool};
use crate::identity::Caller;
use crate::record::{Evidence, Ran};
use crate::session::{Session, SessionId, Turn, Wish};
use crate::tools::validate::Address;

/// Where a call will run, decided before anything is waited for.
pub(super) enum World {
    /// In a session; `instance` narrows where it may live.
    Session {
        session: Arc<Session>,
        instance: Option<String>,
        /// Whether this very call opened it, so that nobody else knows of it yet.
        opened: bool,
    },
    /// On any free instance, or a named one, with the state that the principal last left there.
    Plain {
        pool: Arc<BrowserPool>,
        instance: Option<String>,
    },
}

impl World {
    /// Whether the world has its browser already.
    pub(super) fn has_browser(&self) -> bool {
        match self {
            Self::Session { session, .. } => session.view().holding.is_some(),
            Self::Plain { .. } => false,
        }
    }

    /// The session, where there is one.
    pub(super) fn session(&self) -> Option<&SessionId> {
        match self {
            Self::Session { session, .. } => Some(session.id()),
            Self::Plain { .. } => None,
        }
    }

    pub(super) fn pool(&self) -> &Arc<BrowserPool> {
        match self {
            Self::Session { session, .. } => session.pool(),
            Self::Plain { pool, .. } => pool,
        }
    }

    /// Waits for the world. Dropping the future leaves every queue.
    pub(super) async fn enter(&self, caller: &Caller, tool: &str) -> Result<Entered, CallError> {
        match self {
            Self::Session {
                session, instance, ..
            } => session
                .enter(tool, instance.as_deref())
                .await
                .map(Entered::Session),
            Self::Plain { pool, instance } => pool
                .acquire_plain(&caller.principal, instance.as_deref(), tool)
                .await
                .map(|(lease, lost)| Entered::Plain {
                    lease: Some(lease),
                    lost,
                }),
        }
    }
}

/// A world that a call may use until it drops this.
pub(super) enum Entered {
    Session(Turn),
    Plain {
        /// None once the browser has been given back as broken.
        lease: Option<BrowserLease>,
        lost: Option<String>,
    },
}

impl Entered {
    /// The browser, as long as it has not been given back as broken.
    pub(super) fn browser(&self) -> Option<&BrowserLease> {
        match self {
            Self::Session(turn) => turn.browser(),
            Self::Plain { lease, .. } => lease.as_ref(),
        }
    }

    /// Whether the browser can still run something.
    pub(super) fn is_alive(&self) -> bool {
        self.browser().is_some_and(|lease| !lease.is_lost())
    }

    /// Gives the browser back as broken; it is replaced.
    pub(super) fn fail(&mut self, reason: &str) {
        match self {
            Self::Session(turn) => turn.fail(reason),
            Self::Plain { lease, .. } => {
                if let Some(lease) = lease.take() {
                    lease.fail(reason);
                }
            }
        }
    }

    /// The session, where there is one.
    pub(super) fn session(&self) -> Option<&SessionId> {
        match self {
            Self::Session(turn) => Some(turn.session().id()),
            Self::Plain { .. } => None,
        }
    }

    /// Where a call runs, for its record.
    pub(super) fn evidence(&self, world: &World) -> Evidence {
        Evidence {
            session: self.session().cloned(),
            pool: Some(world.pool().name().to_owned()),
            instance: self.browser().map(|lease| lease.name().to_string()),
            ..Evidence::default()
        }
    }

    /// Notes what a reply tells about the world.
    pub(super) fn observe(&self, reply: &Reply) {
        if let Self::Session(turn) = self {
            turn.session().observe(reply);
        }
    }

    /// Whose state is gone when it is, in words.
    pub(super) fn owner(&self) -> &'static str {
        match self {
            Self::Session(_) => "of this session",
            Self::Plain { .. } => "that you left there",
        }
    }

    /// Why the state that the caller may expect is gone.
    pub(super) fn lost(&self) -> Option<&str> {
        match self {
            Self::Session(turn) => turn.lost.as_deref(),
            Self::Plain { lost, .. } => lost.as_deref(),
        }
    }
}

impl Dispatcher {
    /// Decides the world. `opens` says that the call begins with a navigation, which needs no
    /// earlier page and may therefore open a session of its own.
    pub(super) async fn world(
        &self,
        caller: &Caller,
        address: &Address,
        tool: &str,
        opens: bool,
    ) -> Result<World, CallError> {
        let instance = address.browser_instance.clone();
        if let Some(id) = &address.session_id {
            let session = self.named_session(caller, id, address).await?;
            return Ok(World::Session {
                session,
                instance,
                opened: false,
            });
        }
        let pool = self.fleet().pool(address.browser_pool.as_deref())?.clone();
        if let Some(key) = &instance {
            pool.check_instance(key)?;
            return Ok(World::Plain { pool, instance });
        }
        if pool.is_sticky_per_call() {
            return Ok(World::Plain { pool, instance });
        }
        let opened = caller.connection.is_none();
        let session = match caller.connection {
            Some(connection) => {
                let sessions = self.sessions();
                sessions.implicit(connection, &caller.principal, &pool)?
            }
            None if opens => {
                let sessions = self.sessions();
                sessions
                    .open(&caller.principal, &pool, Wish::default())
                    .await?
            }
            None => {
                return Err(CallError::SessionNeeded {
                    tool: tool.to_owned(),
                });
            }
        };
        Ok(World::Session {
            session,
            instance,
            opened,
        })
    }

    /// The answer to a call that never got its browser. It still says its session, unless the call
    /// had only just opened it: that one is closed again, because nobody would ever use it.
    pub(super) async fn not_entered(&self, world: &World, error: CallError) -> Ran {
        let mut ran = Ran::from(error.into_answer());
        ran.evidence.pool = Some(world.pool().name().to_owned());
        match world {
            World::Session {
                session,
                opened: true,
                ..
            } => {
                // Somebody may have closed it meanwhile, which is as good.
                let _ = self
                    .sessions()
                    .close(session.principal(), session.id())
                    .await;
            }
            World::Session { session, .. } => ran.evidence.session = Some(session.id().clone()),
            World::Plain { .. } => {}
        }
        ran
    }

    async fn named_session(
        &self,
        caller: &Caller,
        id: &str,
        address: &Address,
    ) -> Result<Arc<Session>, CallError> {
        let id = SessionId::parse(id).map_err(|error| CallError::Invalid(error.to_string()))?;
        let wanted = address.browser_pool.as_deref();
        let pool = |stored: Option<&str>| self.fleet().pool(stored.or(wanted)).cloned();
        let session = self.sessions().named(&caller.principal, id, pool).await?;
        let lives = session.pool();
        // An unknown pool is named as such, before it is called another one.
        if let Some(wanted) = wanted
            && !Arc::ptr_eq(self.fleet().pool(Some(wanted))?, lives)
        {
            return Err(CallError::SessionInOtherPool {
                session: session.id().clone(),
                lives: lives.name().to_owned(),
                wanted: wanted.to_owned(),
            });
        }
        if let Some(key) = &address.browser_instance {
            lives.check_instance(key)?;
        }
        Ok(session)
    }
}
