//! Lets a history happen to a real pool and to the reference, and compares them all the way.

use std::collections::BTreeMap;
use std::task::Poll;

use greenroom_pool::{
    Holder, InstanceSpec, Options, Pool, PoolError, Request, Restart, Status, World,
};
use greenroom_testkit::gate::{Act, GatedManager, Op};
use proptest::sample::Index;

use crate::common::{Asking, PATIENT, TestLease, TestPool, finish, id, quiet, seconds};
use crate::event::{Event, How, INSTANCES, Wanted};
use crate::reference::{ATTEMPTS, Caller, Doing, Held, MAX_QUEUE, Reference, Refusal, WINDOW};

pub fn run(history: &[Event]) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut driver = Driver::start().await;
        for event in history {
            driver.happen(event).await;
            driver.compare();
        }
        driver.end().await;
    });
}

struct Driver {
    pool: TestPool,
    manager: GatedManager,
    reference: Reference,
    /// By the number of the ask: those who have not been answered, and those who hold.
    asking: BTreeMap<usize, Asking>,
    leases: BTreeMap<usize, TestLease>,
}

fn alias(number: u32) -> String {
    format!("alias-{number}")
}

impl Driver {
    async fn start() -> Self {
        let manager = GatedManager::new();
        manager.by_default(Op::Create, Act::Held);
        manager.by_default(Op::Reset, Act::Held);
        let spec = |n| InstanceSpec::new(n).alias(alias(n));
        let options = Options {
            max_queue: MAX_QUEUE,
            start_timeout: PATIENT,
            reset_timeout: PATIENT,
            restart: Restart {
                attempts: u32::try_from(ATTEMPTS).unwrap(),
                window: std::time::Duration::from_millis(WINDOW),
                ..Restart::default()
            },
            ..Options::default()
        };
        let pool = Pool::new(manager.clone(), (0..INSTANCES).map(spec).collect(), options).unwrap();
        let mut driver = Self {
            pool,
            manager,
            reference: Reference::new(INSTANCES),
            asking: BTreeMap::new(),
            leases: BTreeMap::new(),
        };
        driver.rest().await;
        driver
    }

    /// One event. Each is followed by a millisecond in which the supervisors do their part. As time
    /// passes otherwise in whole seconds, no two events of a history share a millisecond, and no
    /// two things ever come due at the same moment.
    async fn happen(&mut self, event: &Event) {
        match event {
            Event::Ask {
                wanted,
                holder,
                timeout,
            } => self.ask(wanted.as_ref(), *holder, *timeout),
            Event::Poll(which) => {
                if let Some(n) = pick(&self.asking, *which) {
                    self.poll(n);
                }
            }
            Event::PollAll => self.poll_all(),
            Event::Cancel(which) => {
                if let Some(n) = pick(&self.asking, *which) {
                    self.asking.remove(&n);
                    self.reference.leave(n);
                }
            }
            Event::Return(which, how) => {
                if let Some(n) = pick(&self.leases, *which) {
                    self.give_back(n, *how);
                }
            }
            Event::Kill(number) => {
                if self.doing(*number).is_some_and(|(_, runs)| runs) {
                    self.manager.kill(*number, "killed");
                    self.reference.breaks(*number);
                }
            }
            Event::Created(number, ok) => self.created(*number, *ok),
            Event::WasReset(number, ok) => self.was_reset(*number, *ok),
            Event::Restart(number) => self.restart(*number),
            Event::Resize(count) => self.resize(*count),
            Event::Pass(time) => {
                tokio::time::sleep(seconds(*time)).await;
                self.reference.pass(1000 * time);
            }
            Event::Drain => {
                self.pool.drain(seconds(0)).await;
                self.reference.drain();
            }
        }
        self.rest().await;
    }

    async fn rest(&mut self) {
        quiet().await;
        self.reference.pass(1);
    }

    fn ask(&mut self, wanted: Option<&Wanted>, holder: u8, timeout: u64) {
        let mut request = Request::any(Holder::new(holder.to_string()), seconds(timeout));
        let mut meant = None;
        if let Some(wanted) = wanted {
            let (key, found) = match wanted {
                Wanted::Id(n) => (n.to_string(), self.reference.member(*n).then_some(*n)),
                Wanted::Alias(n) => (alias(*n), self.reference.with_alias(*n)),
            };
            request = request.only(key);
            meant = Some(found);
        }
        self.reference.ask(meant, holder, timeout);
        let n = self.reference.asks.len() - 1;
        self.asking.insert(n, Asking::new(&self.pool, request));
        self.poll(n);
    }

    fn poll_all(&mut self) {
        let all: Vec<usize> = self.asking.keys().copied().collect();
        for n in all {
            self.poll(n);
        }
    }

    fn poll(&mut self, n: usize) {
        let expected = self.reference.poll(n);
        let Poll::Ready(answer) = self.asking.get_mut(&n).unwrap().poll() else {
            assert_eq!(expected, None, "caller {n} should have been answered");
            return;
        };
        self.asking.remove(&n);
        let seen = answer.as_ref().map(held).map_err(refusal);
        assert_eq!(Some(seen), expected, "the answer to caller {n}");
        if let Ok(lease) = answer {
            self.leases.insert(n, lease);
        }
    }

    fn give_back(&mut self, n: usize, how: How) {
        let lease = self.leases.remove(&n).unwrap();
        match how {
            How::AsIs => drop(lease),
            How::Reset => lease.release_reset(),
            How::Poison => lease.poison("poisoned"),
            How::Fail => lease.fail("failed"),
        }
        self.reference.give_back(n, how);
    }

    fn created(&mut self, number: u32, ok: bool) {
        if let Some((Doing::Starting, _)) = self.doing(number) {
            let answer = if ok {
                Ok(())
            } else {
                Err("no start".to_owned())
            };
            assert!(
                self.manager.answer(Op::Create, number, answer),
                "a start is under way"
            );
            self.reference.created(number, ok);
        }
    }

    fn was_reset(&mut self, number: u32, ok: bool) {
        if let Some((Doing::Resetting(_), _)) = self.doing(number) {
            let answer = if ok {
                Ok(())
            } else {
                Err("no reset".to_owned())
            };
            assert!(
                self.manager.answer(Op::Reset, number, answer),
                "a reset is under way"
            );
            self.reference.was_reset(number, ok);
        }
    }

    fn restart(&mut self, number: u32) {
        let seen = self.pool.restart(id(number));
        if !self.reference.open {
            assert_eq!(seen, Err(PoolError::Closed));
        } else if self.reference.member(number) {
            self.reference.restart(number);
            seen.unwrap();
        } else {
            assert_eq!(refusal(&seen.unwrap_err()), Refusal::Unknown);
        }
    }

    fn resize(&mut self, count: usize) {
        let seen = self.pool.resize(count);
        if self.reference.open {
            self.reference.resize(count);
            seen.unwrap();
        } else {
            assert_eq!(seen, Err(PoolError::Closed));
        }
    }

    fn doing(&self, number: u32) -> Option<(Doing, bool)> {
        let instance = self.reference.instances.get(&number)?;
        Some((instance.doing, instance.runs()))
    }

    fn compare(&self) {
        let snapshot = self.pool.snapshot();
        let seen: Vec<Seen> = snapshot.instances.iter().map(Seen::of).collect();
        let expected: Vec<Seen> = self.expected();
        assert_eq!(seen, expected, "the instances");

        let waits = |ask: &&crate::reference::Ask| ask.caller == Caller::Waiting;
        let queue: Vec<_> = snapshot
            .waiters
            .iter()
            .map(|waiter| {
                (
                    waiter.wanted.map(|id| id.number()),
                    waiter.holder.to_string(),
                )
            })
            .collect();
        let asks = self.reference.asks.iter().filter(waits);
        let expected: Vec<_> = asks
            .map(|ask| (ask.wanted, ask.holder.to_string()))
            .collect();
        assert_eq!(queue, expected, "the queue");

        let counters = self.pool.counters();
        assert_eq!(counters.acquires_in_flight(), self.asking.len() as u64);
        assert_eq!(counters.leases_out(), self.leases.len() as u64);
        assert_eq!(counters.acquires_started, self.reference.asks.len() as u64);
        self.manager.assert_sound();
        self.nobody_shares();
    }

    fn expected(&self) -> Vec<Seen> {
        let instances = self.reference.instances.iter();
        instances
            .map(|(id, instance)| Seen {
                id: *id,
                generation: instance.generation,
                status: match instance.doing {
                    Doing::Starting => Status::Starting,
                    Doing::Down(_) => Status::Failed,
                    _ => Status::Healthy,
                },
                holder: match instance.doing {
                    Doing::HeldBy(n) | Doing::Resetting(Some(n)) => {
                        Some(self.reference.asks[n].holder.to_string())
                    }
                    _ => None,
                },
                resetting: matches!(instance.doing, Doing::Resetting(_)),
            })
            .collect()
    }

    fn nobody_shares(&self) {
        let mut lives: Vec<u64> = self
            .leases
            .values()
            .filter(|lease| !lease.is_lost())
            .map(|lease| lease.serial())
            .collect();
        let held = lives.len();
        lives.sort_unstable();
        lives.dedup();
        assert_eq!(lives.len(), held, "an instance is leased twice");
    }

    async fn end(mut self) {
        self.asking.clear();
        self.leases.clear();
        finish(self.pool, self.manager).await;
    }
}

/// What can be seen of an instance.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    id: u32,
    generation: u64,
    status: Status,
    holder: Option<String>,
    resetting: bool,
}

impl Seen {
    fn of<I>(view: &greenroom_pool::InstanceView<I>) -> Self {
        Self {
            id: view.id.number(),
            generation: view.generation.number(),
            status: view.status,
            holder: view.lease.as_ref().map(|lease| lease.holder.to_string()),
            resetting: view.resetting,
        }
    }
}

fn pick<T>(among: &BTreeMap<usize, T>, which: Index) -> Option<usize> {
    if among.is_empty() {
        return None;
    }
    among.keys().nth(which.index(among.len())).copied()
}

fn held(lease: &TestLease) -> Held {
    Held {
        id: lease.id().number(),
        generation: lease.generation().number(),
        blank: lease.world() == World::Blank,
    }
}

fn refusal(error: &PoolError) -> Refusal {
    match error {
        PoolError::Timeout { .. } => Refusal::Timeout,
        PoolError::QueueFull { .. } => Refusal::Full,
        PoolError::UnknownInstance { .. } => Refusal::Unknown,
        PoolError::NoHealthyInstances { .. } => Refusal::Unhealthy,
        PoolError::Closed => Refusal::Closed,
        other => panic!("an acquisition cannot end so: {other}"),
    }
}
