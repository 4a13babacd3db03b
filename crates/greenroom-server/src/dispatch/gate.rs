//! Counts the calls that run, lets no new one in once the server goes down, and tells those that
//! take too long then to give up.

use tokio::sync::watch;

/// Open at first; closed for good by the shutdown.
pub(super) struct Gate(watch::Sender<State>);

#[derive(Debug, Clone, Copy)]
struct State {
    calls: usize,
    open: bool,
    cut_off: bool,
}

impl Default for Gate {
    fn default() -> Self {
        Self(watch::Sender::new(State {
            calls: 0,
            open: true,
            cut_off: false,
        }))
    }
}

impl Gate {
    /// Lets a call in, unless the gate is closed.
    pub(super) fn admit(&self) -> Option<Admitted<'_>> {
        let admitted = self.0.send_if_modified(|state| {
            state.calls += usize::from(state.open);
            state.open
        });
        admitted.then(|| Admitted(self))
    }

    pub(super) fn close(&self) {
        self.0.send_modify(|state| state.open = false);
    }

    /// Closes the gate and tells every call inside to give up.
    pub(super) fn cut_off(&self) {
        self.0.send_modify(|state| {
            state.open = false;
            state.cut_off = true;
        });
    }

    /// Resolves when calls are to give up.
    pub(super) async fn is_cut_off(&self) {
        let mut inside = self.0.subscribe();
        let _ = inside.wait_for(|state| state.cut_off).await;
    }

    /// Resolves when no call is inside.
    pub(super) async fn empty(&self) {
        let mut inside = self.0.subscribe();
        // The sender lives in self, so that waiting cannot fail.
        let _ = inside.wait_for(|state| state.calls == 0).await;
    }
}

/// One call inside the gate; it leaves when this is dropped.
pub(super) struct Admitted<'a>(&'a Gate);

impl Drop for Admitted<'_> {
    fn drop(&mut self) {
        self.0.0.send_modify(|state| state.calls -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_closed_gate_lets_nobody_in_and_empties_when_the_last_call_leaves() {
        let gate = Gate::default();
        let first = gate.admit().unwrap();
        gate.close();
        assert!(gate.admit().is_none());
        let mut empty = std::pin::pin!(gate.empty());
        assert!(futures::poll!(&mut empty).is_pending());
        drop(first);
        empty.await;
    }

    #[tokio::test]
    async fn calls_inside_a_closed_gate_go_on_until_they_are_cut_off() {
        let gate = Gate::default();
        let mut cut_off = std::pin::pin!(gate.is_cut_off());
        gate.close();
        assert!(futures::poll!(&mut cut_off).is_pending());
        gate.cut_off();
        cut_off.await;
    }
}
