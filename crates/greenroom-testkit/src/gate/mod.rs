//! A manager for pools under test whose every call does what the test says.
//!
//! Each call of `create`, `probe`, `reset` and `close` looks up the script of its instance: it
//! answers at once, fails, panics, waits for a gate that the test opens or for an answer to this
//! very call, or never returns. Without a script it answers at once. A ledger keeps the books: what was called, which instances are
//! alive, and every breach of the contract between a pool and its manager.
//!
//! Nothing here reads a clock or sleeps, so all of it works under paused time.

mod door;
mod ledger;
mod script;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use greenroom_pool::{CloseReason, InstanceId, Manager};
use tokio::sync::{oneshot, watch};

pub use door::Gate;
pub use script::{Act, Op};

use ledger::Ledger;
use script::Scripts;

/// A handle to one scripted manager; clones share everything, so a test keeps one.
#[derive(Clone, Default)]
pub struct GatedManager {
    state: Arc<Mutex<State>>,
    calls: Arc<watch::Sender<()>>,
}

#[derive(Default)]
struct State {
    scripts: Scripts,
    ledger: Ledger,
    held: HashMap<(Op, InstanceId), oneshot::Sender<Result<(), String>>>,
}

/// What the pool leases: a number that no other instance of this manager has.
#[derive(Debug)]
pub struct GatedInstance {
    id: InstanceId,
    serial: u64,
    death: watch::Sender<Option<String>>,
}

impl GatedInstance {
    /// The id that it was created for.
    pub fn id(&self) -> InstanceId {
        self.id
    }

    /// Its number in the order of creation.
    pub fn serial(&self) -> u64 {
        self.serial
    }
}

impl GatedManager {
    /// A manager without scripts: every call answers at once.
    pub fn new() -> Self {
        Self::default()
    }

    /// The next calls of `op` on instance `id` do this, one after the other.
    pub fn script(&self, op: Op, id: u32, acts: impl IntoIterator<Item = Act>) {
        self.state().scripts.append(op, id.into(), acts);
    }

    /// Every call of `op` on instance `id` that has no script does this from now on.
    pub fn always(&self, op: Op, id: u32, act: Act) {
        self.state().scripts.set_default(op, id.into(), act);
    }

    /// Every call of `op`, on whatever instance, that has no other rule does this from now on.
    pub fn by_default(&self, op: Op, act: Act) {
        self.state().scripts.set_fallback(op, act);
    }

    /// Answers the call of `op` on instance `id` that waits as [`Act::Held`]. Says whether there
    /// was one.
    pub fn answer(&self, op: Op, id: u32, answer: Result<(), String>) -> bool {
        let held = self.state().held.remove(&(op, id.into()));
        held.is_some_and(|call| call.send(answer).is_ok())
    }

    /// The next call of `op` on instance `id` waits for the returned gate, then answers.
    pub fn gate(&self, op: Op, id: u32) -> Gate {
        let gate = Gate::new();
        self.script(op, id, [Act::Slow(gate.clone())]);
        gate
    }

    /// Lets the living instance `id` die by itself.
    ///
    /// # Panics
    ///
    /// If it does not live.
    pub fn kill(&self, id: u32, reason: &str) {
        let death = self.state().ledger.death_of(id.into());
        let death = death.unwrap_or_else(|| panic!("instance {id} does not live"));
        death.send_replace(Some(reason.to_owned()));
    }

    /// How often `op` was called on instance `id`.
    pub fn calls(&self, op: Op, id: u32) -> usize {
        self.state().ledger.calls(op, id.into())
    }

    /// Resolves when `op` has been called on instance `id` at least `times` times.
    pub async fn called(&self, op: Op, id: u32, times: usize) {
        let mut changes = self.calls.subscribe();
        while self.calls(op, id) < times {
            // This handle owns a sender, so the channel cannot be closed.
            let _ = changes.changed().await;
        }
    }

    /// The ids of all living instances, in order.
    pub fn living(&self) -> Vec<InstanceId> {
        self.state().ledger.living()
    }

    /// Why instances were closed, in the order of closing.
    pub fn closings(&self) -> Vec<(InstanceId, CloseReason)> {
        self.state().ledger.closings()
    }

    /// Checks that the contract was kept until now.
    ///
    /// # Panics
    ///
    /// With every breach, if there was one.
    pub fn assert_sound(&self) {
        let breaches = self.state().ledger.breaches();
        assert!(
            breaches.is_empty(),
            "the contract was broken: {breaches:#?}"
        );
    }

    /// Checks that the contract was kept, and that every instance created has been closed.
    ///
    /// # Panics
    ///
    /// If not, saying what is left.
    pub fn assert_balanced(&self) {
        self.assert_sound();
        let living = self.living();
        assert!(living.is_empty(), "instances were never closed: {living:?}");
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters a call into the ledger and does what its script says.
    async fn play(&self, op: Op, id: InstanceId, serial: Option<u64>) -> Result<(), String> {
        let (act, answer) = self.begin(op, id, serial);
        self.calls.send_replace(());
        match answer {
            // The sender stays in the table until the test uses it or another call replaces it.
            Some(answer) => answer.await.unwrap_or_else(|_| Err("forgotten".to_owned())),
            None => act.play().await,
        }
    }

    fn begin(&self, op: Op, id: InstanceId, serial: Option<u64>) -> (Act, Option<Answer>) {
        let mut state = self.state();
        state.ledger.begin(op, id, serial);
        let act = state.scripts.next(op, id);
        let answer = matches!(act, Act::Held).then(|| {
            let (sender, answer) = oneshot::channel();
            state.held.insert((op, id), sender);
            answer
        });
        (act, answer)
    }
}

/// Enters a closing into the ledger when it ends, in whatever way.
struct Closing<'a> {
    manager: &'a GatedManager,
    instance: &'a GatedInstance,
    reason: CloseReason,
}

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        let mut state = self.manager.state();
        state
            .ledger
            .closed(self.instance.id, self.instance.serial, self.reason);
    }
}

type Answer = oneshot::Receiver<Result<(), String>>;

impl Manager for GatedManager {
    type Instance = GatedInstance;
    type Error = String;

    async fn create(&self, id: InstanceId) -> Result<GatedInstance, String> {
        self.play(Op::Create, id, None).await?;
        let death = watch::Sender::new(None);
        let serial = self.state().ledger.born(id, death.clone());
        Ok(GatedInstance { id, serial, death })
    }

    async fn probe(&self, instance: &GatedInstance) -> Result<(), String> {
        self.play(Op::Probe, instance.id, Some(instance.serial))
            .await
    }

    async fn reset(&self, instance: &GatedInstance) -> Result<(), String> {
        self.play(Op::Reset, instance.id, Some(instance.serial))
            .await
    }

    async fn close(&self, instance: &GatedInstance, reason: CloseReason) {
        // A close that is given up half-way counts as done: the pool has let go of the instance.
        let _closed = Closing {
            manager: self,
            instance,
            reason,
        };
        // A close has no result; a script that makes it fail makes it end early.
        let _ = self
            .play(Op::Close, instance.id, Some(instance.serial))
            .await;
    }

    async fn ended(&self, instance: &GatedInstance) -> String {
        let mut death = instance.death.subscribe();
        let reason = death.wait_for(Option::is_some).await;
        // The instance owns a sender, so the channel outlives this call.
        let reason = reason.expect("the instance lives while it is watched");
        reason.clone().unwrap_or_default()
    }
}
