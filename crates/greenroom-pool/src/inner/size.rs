//! The owner adds, retires and restarts instances.
//!
//! Capacity grows in [`Inner::open`] and nowhere else, and an instance is created only for a slot
//! that was opened there. A right to create, such as a permit from a budget shared by several
//! pools, would be asked for in that place and kept in the slot.

use std::sync::Arc;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::{Inner, Phase};
use crate::backoff::Budget;
use crate::error::PoolError;
use crate::instance::{Generation, InstanceId, InstanceName, InstanceSpec};
use crate::manager::CloseReason;
use crate::pool::Restarting;
use crate::slot::{Slot, State};

/// A slot that needs a supervisor.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) id: InstanceId,
    pub(crate) wake: Arc<Notify>,
}

impl<I> Inner<I> {
    /// The instance with this id or alias.
    pub(crate) fn resolve(&self, key: &str) -> Result<InstanceId, PoolError> {
        let named = |slot: &&Slot<I>| slot.name.alias.as_deref() == Some(key);
        let id = match InstanceId::parse(key) {
            Some(id) => self.slots.get(&id).filter(|slot| slot.is_member()),
            None => self.members().find(named),
        };
        id.map(|slot| slot.name.id).ok_or_else(|| self.unknown(key))
    }

    /// Makes room for one more instance. A slot of the same id that is on its way out is turned
    /// back instead: it has a supervisor already, and the former life is closed before the next.
    pub(crate) fn open(&mut self, spec: InstanceSpec) -> Result<Option<Opened>, PoolError> {
        self.require_open()?;
        self.require_free_names(&spec.name)?;
        let id = spec.name.id;
        let options = self.options;
        if let Some(slot) = self.slots.get_mut(&id) {
            slot.name = spec.name;
            slot.health = spec.health.unwrap_or(options.health);
            slot.budget = Budget::new(spec.restart.unwrap_or(options.restart));
            slot.retiring = false;
            if matches!(slot.state, State::Gone) {
                slot.begin_life();
            }
            self.wake_supervisor(id);
            return Ok(None);
        }
        let former = self.former.get(&id);
        let generation = former.map_or(Generation::FIRST, |last| last.next());
        let slot = Slot::new(spec, generation, &options);
        let wake = Arc::clone(&slot.supervisor);
        self.slots.insert(id, slot);
        Ok(Some(Opened { id, wake }))
    }

    /// Lets an instance go: at once, or when its holder returns it.
    pub(crate) fn retire(&mut self, id: InstanceId, now: Instant) -> Result<(), PoolError> {
        self.require_open()?;
        let slot = self.member_mut(id)?;
        slot.retiring = true;
        if slot.is_held() {
            self.dismiss_hopeless(now);
        } else {
            self.retire_now(id, now);
        }
        Ok(())
    }

    /// Opens the lowest unused ids, or retires the highest ones, until there are `count`.
    pub(crate) fn resize(&mut self, count: usize, now: Instant) -> Result<Vec<Opened>, PoolError> {
        self.require_open()?;
        let mut opened = Vec::new();
        while self.members().count() < count {
            opened.extend(self.open(InstanceSpec::new(self.lowest_unused()))?);
        }
        while self.members().count() > count {
            let highest = self.members().map(|slot| slot.name.id).max();
            self.retire(
                highest.expect("BUG: a pool of more than none is empty"),
                now,
            )?;
        }
        Ok(opened)
    }

    /// Starts an instance anew with all its chances: at once, or when its holder returns it.
    pub(crate) fn restart(
        &mut self,
        id: InstanceId,
        now: Instant,
    ) -> Result<Restarting, PoolError> {
        self.require_open()?;
        let slot = self.member_mut(id)?;
        slot.budget.forgive();
        if slot.is_held() {
            slot.restart_asked = true;
            return Ok(Restarting::WhenReturned);
        }
        match slot.state {
            State::Starting => {}
            State::Down { .. } => {
                slot.begin_life();
                slot.restarts += 1;
                self.counters.restarts += 1;
                self.wake_supervisor(id);
            }
            _ => self.replace(id, CloseReason::Restarted, "restart asked for", now),
        }
        Ok(Restarting::Now)
    }

    pub(super) fn unknown(&self, key: &str) -> PoolError {
        let known = self.members().map(|slot| slot.name.clone()).collect();
        PoolError::UnknownInstance {
            key: key.to_owned(),
            known,
        }
    }

    fn members(&self) -> impl Iterator<Item = &Slot<I>> {
        self.slots.values().filter(|slot| slot.is_member())
    }

    fn member_mut(&mut self, id: InstanceId) -> Result<&mut Slot<I>, PoolError> {
        if !self.slots.get(&id).is_some_and(Slot::is_member) {
            return Err(self.unknown(&id.to_string()));
        }
        Ok(self.slot_mut(id))
    }

    fn require_open(&self) -> Result<(), PoolError> {
        match self.phase {
            Phase::Open => Ok(()),
            Phase::Draining | Phase::Closed => Err(PoolError::Closed),
        }
    }

    fn require_free_names(&self, name: &InstanceName) -> Result<(), PoolError> {
        if self.slots.get(&name.id).is_some_and(Slot::is_member) {
            return Err(PoolError::NameTaken {
                name: name.id.to_string(),
            });
        }
        let Some(alias) = &name.alias else {
            return Ok(());
        };
        if alias.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(PoolError::NumericAlias {
                alias: alias.to_string(),
            });
        }
        if self
            .members()
            .any(|slot| slot.name.alias.as_ref() == Some(alias))
        {
            return Err(PoolError::NameTaken {
                name: alias.to_string(),
            });
        }
        Ok(())
    }

    fn lowest_unused(&self) -> InstanceId {
        let used = |id: &InstanceId| self.slots.get(id).is_some_and(Slot::is_member);
        let mut ids = (0..).map(InstanceId::new);
        ids.find(|id| !used(id)).expect("BUG: every id is in use")
    }
}
