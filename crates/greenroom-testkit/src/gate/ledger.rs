//! The books of a scripted manager: who lives, what was called, which rules were broken.

use std::collections::{BTreeMap, HashMap};

use greenroom_pool::{CloseReason, InstanceId};
use tokio::sync::watch;

use super::Op;

struct Living {
    serial: u64,
    closing: bool,
    death: watch::Sender<Option<String>>,
}

#[derive(Default)]
pub(super) struct Ledger {
    calls: HashMap<(Op, InstanceId), usize>,
    living: BTreeMap<InstanceId, Living>,
    born: u64,
    closings: Vec<(InstanceId, CloseReason)>,
    breaches: Vec<String>,
}

impl Ledger {
    /// A call begins. All but `create` name the instance that they are about.
    pub(super) fn begin(&mut self, op: Op, id: InstanceId, serial: Option<u64>) {
        *self.calls.entry((op, id)).or_default() += 1;
        let usable = self.living.get(&id).filter(|living| !living.closing);
        let living = usable.map(|living| living.serial);
        if living != serial {
            let breach = format!("{op:?} of instance {id} ({serial:?}) while {living:?} lived");
            self.breaches.push(breach);
        }
        if let (Op::Close, Some(living)) = (op, self.living.get_mut(&id)) {
            living.closing = true;
        }
    }

    pub(super) fn born(&mut self, id: InstanceId, death: watch::Sender<Option<String>>) -> u64 {
        self.born += 1;
        let serial = self.born;
        if let Some(former) = self.living.insert(
            id,
            Living {
                serial,
                closing: false,
                death,
            },
        ) {
            let breach = format!(
                "instance {id} was created while {} still lived",
                former.serial
            );
            self.breaches.push(breach);
        }
        serial
    }

    pub(super) fn closed(&mut self, id: InstanceId, serial: u64, reason: CloseReason) {
        self.closings.push((id, reason));
        if self.living.get(&id).is_some_and(|it| it.serial == serial) {
            self.living.remove(&id);
        }
    }

    pub(super) fn death_of(&self, id: InstanceId) -> Option<watch::Sender<Option<String>>> {
        self.living.get(&id).map(|living| living.death.clone())
    }

    pub(super) fn calls(&self, op: Op, id: InstanceId) -> usize {
        self.calls.get(&(op, id)).copied().unwrap_or(0)
    }

    pub(super) fn living(&self) -> Vec<InstanceId> {
        self.living.keys().copied().collect()
    }

    pub(super) fn closings(&self) -> Vec<(InstanceId, CloseReason)> {
        self.closings.clone()
    }

    pub(super) fn breaches(&self) -> Vec<String> {
        self.breaches.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: InstanceId = InstanceId::new(0);

    fn born(ledger: &mut Ledger) -> u64 {
        ledger.begin(Op::Create, ID, None);
        ledger.born(ID, watch::Sender::new(None))
    }

    fn close(ledger: &mut Ledger, serial: u64) {
        ledger.begin(Op::Close, ID, Some(serial));
        ledger.closed(ID, serial, CloseReason::PoolClosed);
    }

    #[test]
    fn lives_that_follow_each_other_break_no_rule() {
        let mut ledger = Ledger::default();
        for _ in 0..2 {
            let serial = born(&mut ledger);
            ledger.begin(Op::Probe, ID, Some(serial));
            assert_eq!(ledger.living(), [ID]);
            close(&mut ledger, serial);
        }
        assert!(ledger.living().is_empty());
        assert_eq!(ledger.breaches(), [""; 0]);
        assert_eq!(ledger.calls(Op::Create, ID), 2);
    }

    #[test]
    fn a_second_close_is_a_breach() {
        let mut ledger = Ledger::default();
        let serial = born(&mut ledger);
        close(&mut ledger, serial);
        close(&mut ledger, serial);
        assert_eq!(ledger.breaches().len(), 1);
    }

    #[test]
    fn a_use_during_or_after_the_close_is_a_breach() {
        let mut ledger = Ledger::default();
        let serial = born(&mut ledger);
        ledger.begin(Op::Close, ID, Some(serial));
        ledger.begin(Op::Probe, ID, Some(serial));
        ledger.closed(ID, serial, CloseReason::PoolClosed);
        ledger.begin(Op::Reset, ID, Some(serial));
        assert_eq!(ledger.breaches().len(), 2);
    }

    #[test]
    fn a_second_life_beside_the_first_is_a_breach() {
        let mut ledger = Ledger::default();
        born(&mut ledger);
        born(&mut ledger);
        // Once when its creation began, once when it was there.
        assert_eq!(ledger.breaches().len(), 2);
    }
}
