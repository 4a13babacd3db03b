//! What is left of what a query may cost.

use super::limits::{MAX_MADE, MAX_STEPS};

/// How much of a string counts as one more value, or as one more step to look at it.
pub(super) const BYTES_PER_VALUE: usize = 64;

/// The budget is spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spent;

/// What is left to spend.
#[derive(Debug)]
pub(super) struct Budget {
    steps: usize,
    made: usize,
}

impl Budget {
    /// A full budget.
    pub(super) fn new() -> Self {
        Self {
            steps: MAX_STEPS,
            made: MAX_MADE,
        }
    }

    /// Pays for work that leaves nothing behind.
    pub(super) fn step(&mut self, steps: usize) -> Result<(), Spent> {
        self.steps = self.steps.checked_sub(steps).ok_or(Spent)?;
        Ok(())
    }

    /// Pays for values that a result may hold. They are paid for even if they are dropped at
    /// once: what is alive at a time is then bounded without having to be watched.
    pub(super) fn make(&mut self, values: usize) -> Result<(), Spent> {
        self.step(values)?;
        self.made = self.made.checked_sub(values).ok_or(Spent)?;
        Ok(())
    }
}

/// What a string costs to look at or to make.
pub(super) fn weight_of(text: &str) -> usize {
    1 + text.len() / BYTES_PER_VALUE
}
