//! The reference: what a pool should do, said as plainly as possible.
//!
//! It shares no code and no structure with the pool. Callers are one list in order of arrival,
//! everything is found by looking through it, and time is a number of milliseconds.

use std::collections::BTreeMap;

use crate::event::How;

pub const MAX_QUEUE: usize = 6;
pub const ATTEMPTS: usize = 3;
pub const WINDOW: u64 = 300_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    Timeout,
    Full,
    Unknown,
    Unhealthy,
    Closed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    Waiting,
    /// An instance is being reset for it.
    Promised(u32),
    /// It has a lease and does not know yet.
    Granted(Held),
    Refused(Refusal),
    Holding(Held),
    Done,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    pub id: u32,
    pub generation: u64,
    pub blank: bool,
}

#[derive(Clone, Debug)]
pub struct Ask {
    pub wanted: Option<u32>,
    pub holder: u8,
    pub deadline: u64,
    pub caller: Caller,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    Starting,
    Free,
    HeldBy(usize),
    Resetting(Option<usize>),
    Down(Option<u64>),
}

#[derive(Clone, Debug)]
pub struct Instance {
    pub alias: Option<u32>,
    pub generation: u64,
    pub doing: Doing,
    used_by: Option<u8>,
    retiring: bool,
    restart_asked: bool,
    restarts: Vec<u64>,
}

impl Instance {
    fn new(alias: Option<u32>) -> Self {
        Self {
            alias,
            generation: 1,
            doing: Doing::Starting,
            used_by: None,
            retiring: false,
            restart_asked: false,
            restarts: Vec::new(),
        }
    }

    pub fn runs(&self) -> bool {
        !matches!(self.doing, Doing::Starting | Doing::Down(_))
    }

    fn is_taken(&self) -> bool {
        matches!(self.doing, Doing::HeldBy(_) | Doing::Resetting(Some(_)))
    }

    fn next_retry(&mut self, now: u64) -> Option<u64> {
        self.restarts.retain(|at| now - at < WINDOW);
        let before = self.restarts.len();
        (before < ATTEMPTS).then(|| now + 1000 * (1 << before))
    }
}

#[derive(Debug)]
pub struct Reference {
    pub now: u64,
    pub open: bool,
    pub asks: Vec<Ask>,
    pub instances: BTreeMap<u32, Instance>,
    /// In the order in which they came back.
    free: Vec<u32>,
    /// The last generation of those that left.
    past: BTreeMap<u32, u64>,
}

impl Reference {
    pub fn new(instances: u32) -> Self {
        Self {
            now: 0,
            open: true,
            asks: Vec::new(),
            instances: (0..instances)
                .map(|id| (id, Instance::new(Some(id))))
                .collect(),
            free: Vec::new(),
            past: BTreeMap::new(),
        }
    }

    pub fn member(&self, id: u32) -> bool {
        self.instances
            .get(&id)
            .is_some_and(|instance| !instance.retiring)
    }

    pub fn with_alias(&self, alias: u32) -> Option<u32> {
        let has = |instance: &Instance| instance.alias == Some(alias) && !instance.retiring;
        self.instances
            .iter()
            .find(|(_, instance)| has(instance))
            .map(|(id, _)| *id)
    }

    /// Somebody asks. `wanted` is `Some(None)` when it names something that does not exist.
    pub fn ask(&mut self, wanted: Option<Option<u32>>, holder: u8, timeout: u64) {
        let deadline = self.now + 1000 * timeout;
        let ask = Ask {
            wanted: wanted.flatten(),
            holder,
            deadline,
            caller: Caller::Waiting,
        };
        self.asks.push(ask);
        let n = self.asks.len() - 1;
        let waiting = self.asks[..n]
            .iter()
            .filter(|ask| ask.caller == Caller::Waiting)
            .count();
        self.asks[n].caller = if !self.open {
            Caller::Refused(Refusal::Closed)
        } else if wanted == Some(None) {
            Caller::Refused(Refusal::Unknown)
        } else if let Some(id) = self.free_for(n) {
            return self.give(id, n);
        } else if !self.has_hope(n) {
            Caller::Refused(Refusal::Unhealthy)
        } else if waiting >= MAX_QUEUE {
            Caller::Refused(Refusal::Full)
        } else {
            Caller::Waiting
        };
    }

    /// What a caller hears when it polls; nothing when it has to go on waiting.
    pub fn poll(&mut self, n: usize) -> Option<Result<Held, Refusal>> {
        let (answer, then) = match self.asks[n].caller.clone() {
            Caller::Granted(held) => (Ok(held.clone()), Caller::Holding(held)),
            Caller::Refused(refusal) => (Err(refusal), Caller::Done),
            Caller::Waiting | Caller::Promised(_) if self.asks[n].deadline <= self.now => {
                self.leave(n);
                (Err(Refusal::Timeout), Caller::Done)
            }
            _ => return None,
        };
        self.asks[n].caller = then;
        Some(answer)
    }

    /// A caller goes away before it was answered.
    pub fn leave(&mut self, n: usize) {
        match std::mem::replace(&mut self.asks[n].caller, Caller::Done) {
            Caller::Promised(id) => {
                let instance = self.instances.get_mut(&id).unwrap();
                instance.doing = Doing::Resetting(None);
                if instance.retiring {
                    self.remove(id);
                }
            }
            Caller::Granted(held) if self.holds(n, &held) => {
                if held.blank {
                    self.instances.get_mut(&held.id).unwrap().used_by = None;
                }
                self.becomes_idle(held.id);
            }
            _ => {}
        }
    }

    /// A lease ends.
    pub fn give_back(&mut self, n: usize, how: How) {
        let Caller::Holding(held) = std::mem::replace(&mut self.asks[n].caller, Caller::Done)
        else {
            panic!("only a holder can return");
        };
        if !self.holds(n, &held) {
            return;
        }
        let instance = self.instances.get_mut(&held.id).unwrap();
        match how {
            How::Reset if !instance.retiring && !instance.restart_asked => {
                instance.doing = Doing::Resetting(None);
            }
            How::AsIs | How::Reset => self.becomes_idle(held.id),
            How::Poison => self.replace(held.id),
            How::Fail => self.breaks(held.id),
        }
    }

    pub fn created(&mut self, id: u32, ok: bool) {
        let instance = self.instances.get_mut(&id).unwrap();
        assert_eq!(
            instance.doing,
            Doing::Starting,
            "nothing else can be created"
        );
        if ok {
            instance.used_by = None;
            instance.restart_asked = false;
            return self.becomes_idle(id);
        }
        self.breaks(id);
    }

    pub fn was_reset(&mut self, id: u32, ok: bool) {
        let instance = self.instances.get_mut(&id).unwrap();
        let Doing::Resetting(next) = instance.doing else {
            panic!("nothing is being reset")
        };
        if !ok {
            return self.replace(id);
        }
        instance.used_by = None;
        match next {
            Some(n) => self.give(id, n),
            None => self.becomes_idle(id),
        }
    }

    /// The instance does not run any more, or could not be started.
    pub fn breaks(&mut self, id: u32) {
        let now = self.now;
        let instance = self.instances.get_mut(&id).unwrap();
        let due = instance.next_retry(now);
        let former = std::mem::replace(&mut instance.doing, Doing::Down(due));
        let retiring = instance.retiring;
        self.free.retain(|free| *free != id);
        if retiring {
            self.forget(id);
        }
        self.console(former);
        self.send_hopeless_away();
    }

    pub fn restart(&mut self, id: u32) {
        let instance = self.instances.get_mut(&id).unwrap();
        instance.restarts.clear();
        if instance.is_taken() {
            instance.restart_asked = true;
        } else if let Doing::Down(_) = instance.doing {
            instance.generation += 1;
            instance.doing = Doing::Starting;
        } else if instance.runs() {
            self.replace(id);
        }
    }

    pub fn resize(&mut self, count: usize) {
        let members = |it: &Self| -> Vec<u32> {
            it.instances
                .keys()
                .copied()
                .filter(|id| it.member(*id))
                .collect()
        };
        while members(self).len() < count {
            let id = (0..).find(|id| !self.member(*id)).unwrap();
            let first = self.past.get(&id).map_or(1, |last| last + 1);
            let fresh = || Instance {
                generation: first,
                ..Instance::new(None)
            };
            let instance = self.instances.entry(id).or_insert_with(fresh);
            instance.alias = None;
            if instance.retiring {
                instance.retiring = false;
                instance.restarts.clear();
            }
        }
        while members(self).len() > count {
            let id = *members(self).last().unwrap();
            let instance = self.instances.get_mut(&id).unwrap();
            instance.retiring = true;
            if !instance.is_taken() {
                self.remove(id);
            }
            self.send_hopeless_away();
        }
    }

    pub fn drain(&mut self) {
        self.open = false;
        for n in 0..self.asks.len() {
            if matches!(self.asks[n].caller, Caller::Waiting | Caller::Promised(_)) {
                self.leave(n);
                self.asks[n].caller = Caller::Refused(Refusal::Closed);
            }
        }
    }

    /// Time passes, and restarts that come due begin.
    pub fn pass(&mut self, milliseconds: u64) {
        self.now += milliseconds;
        for instance in self.instances.values_mut() {
            if let Doing::Down(Some(due)) = instance.doing
                && due <= self.now
            {
                instance.restarts.push(due);
                instance.generation += 1;
                instance.doing = Doing::Starting;
            }
        }
    }

    fn holds(&self, n: usize, held: &Held) -> bool {
        self.instances.get(&held.id).is_some_and(|instance| {
            instance.generation == held.generation && instance.doing == Doing::HeldBy(n)
        })
    }

    fn suits(&self, n: usize, id: u32) -> bool {
        self.asks[n].wanted.is_none_or(|wanted| wanted == id)
    }

    /// Takes the free instance that came back first among those that will do.
    fn free_for(&mut self, n: usize) -> Option<u32> {
        let place = self.free.iter().position(|id| self.suits(n, *id))?;
        Some(self.free.remove(place))
    }

    fn give(&mut self, id: u32, n: usize) {
        let instance = self.instances.get_mut(&id).unwrap();
        let holder = self.asks[n].holder;
        if instance.used_by.is_some_and(|last| last != holder) {
            instance.doing = Doing::Resetting(Some(n));
            self.asks[n].caller = Caller::Promised(id);
            return;
        }
        let blank = instance.used_by.is_none();
        instance.used_by = Some(holder);
        instance.doing = Doing::HeldBy(n);
        let held = Held {
            id,
            generation: instance.generation,
            blank,
        };
        self.asks[n].caller = Caller::Granted(held);
    }

    fn becomes_idle(&mut self, id: u32) {
        let instance = &self.instances[&id];
        if instance.retiring {
            return self.remove(id);
        }
        if instance.restart_asked {
            return self.replace(id);
        }
        let waits = |n: &usize| self.asks[*n].caller == Caller::Waiting && self.suits(*n, id);
        match (0..self.asks.len()).find(waits) {
            Some(first) => self.give(id, first),
            None => {
                self.instances.get_mut(&id).unwrap().doing = Doing::Free;
                self.free.push(id);
            }
        }
    }

    fn replace(&mut self, id: u32) {
        self.free.retain(|free| *free != id);
        let instance = self.instances.get_mut(&id).unwrap();
        let former = std::mem::replace(&mut instance.doing, Doing::Starting);
        if instance.retiring {
            self.forget(id);
        } else {
            instance.generation += 1;
        }
        self.console(former);
    }

    fn remove(&mut self, id: u32) {
        self.free.retain(|free| *free != id);
        self.forget(id);
        self.send_hopeless_away();
    }

    fn forget(&mut self, id: u32) {
        let instance = self.instances.remove(&id).unwrap();
        self.past.insert(id, instance.generation);
    }

    /// Whoever was promised an instance that is lost gets another or goes back to its place.
    fn console(&mut self, former: Doing) {
        let Doing::Resetting(Some(n)) = former else {
            return;
        };
        self.asks[n].caller = Caller::Waiting;
        if let Some(id) = self.free_for(n) {
            self.give(id, n);
        } else {
            self.send_hopeless_away();
        }
    }

    fn has_hope(&self, n: usize) -> bool {
        let ask = &self.asks[n];
        self.instances.iter().any(|(id, instance)| {
            let will_do = !instance.retiring && self.suits(n, *id);
            will_do
                && match instance.doing {
                    Doing::Down(due) => due.is_some_and(|due| due <= ask.deadline),
                    _ => true,
                }
        })
    }

    fn send_hopeless_away(&mut self) {
        for n in 0..self.asks.len() {
            if self.asks[n].caller == Caller::Waiting && !self.has_hope(n) {
                let gone = self.asks[n].wanted.is_some_and(|id| !self.member(id));
                let refusal = if gone {
                    Refusal::Unknown
                } else {
                    Refusal::Unhealthy
                };
                self.asks[n].caller = Caller::Refused(refusal);
            }
        }
    }
}
