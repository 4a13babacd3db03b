//! When a failed instance may be started again, and when it has used up its chances.
//!
//! Restarts are remembered by the time at which they began and forgotten when they leave the
//! window. Nothing else counts: a start out of turn (the first one, a replacement, one that
//! somebody asked for) is no restart, whether it works or not, so one that fails is followed by
//! as many restarts as a crash is.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

use crate::options::Restart;

#[derive(Debug)]
pub(crate) struct Budget {
    rule: Restart,
    attempts: VecDeque<Instant>,
}

impl Budget {
    pub(crate) fn new(rule: Restart) -> Self {
        Self {
            rule,
            attempts: VecDeque::new(),
        }
    }

    /// A retry begins.
    pub(crate) fn retry_begins(&mut self, now: Instant) {
        self.attempts.push_back(now);
    }

    /// The moment of the next retry, or none when the budget is used up.
    pub(crate) fn next_retry(&mut self, now: Instant) -> Option<Instant> {
        self.forget_before(now);
        let left = usize::try_from(self.rule.attempts).unwrap_or(usize::MAX);
        (self.attempts.len() < left).then(|| now + self.delay())
    }

    /// Somebody took responsibility: all chances are open again.
    pub(crate) fn forgive(&mut self) {
        self.attempts.clear();
    }

    fn delay(&self) -> Duration {
        let doublings = u32::try_from(self.attempts.len()).unwrap_or(u32::MAX);
        let factor = 2_u32.saturating_pow(doublings);
        self.rule
            .first_delay
            .saturating_mul(factor)
            .min(self.rule.longest_delay)
    }

    fn forget_before(&mut self, now: Instant) {
        let window = self.rule.window;
        let over = |at: &Instant| now.saturating_duration_since(*at) >= window;
        while self.attempts.front().is_some_and(over) {
            self.attempts.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    fn delays(budget: &mut Budget, start: Instant, failures: usize) -> Vec<Option<u64>> {
        let mut now = start;
        let mut seen = Vec::new();
        for _ in 0..failures {
            let due = budget.next_retry(now);
            seen.push(due.map(|at| (at - now).as_secs()));
            if let Some(at) = due {
                now = at;
                budget.retry_begins(now);
            }
        }
        seen
    }

    #[test]
    fn delays_double_until_the_attempts_are_used_up() {
        let mut budget = Budget::new(Restart::default());
        let seen = delays(&mut budget, Instant::now(), 5);
        assert_eq!(seen, [Some(1), Some(2), Some(4), None, None]);
    }

    #[test]
    fn delays_stop_doubling_at_the_longest_one() {
        let mut budget = Budget::new(Restart {
            attempts: 6,
            longest_delay: seconds(5),
            ..Restart::default()
        });
        let seen = delays(&mut budget, Instant::now(), 6);
        assert_eq!(seen, [1, 2, 4, 5, 5, 5].map(Some));
    }

    #[test]
    fn an_attempt_is_forgotten_when_the_window_has_passed_over_it() {
        let mut budget = Budget::new(Restart {
            attempts: 1,
            ..Restart::default()
        });
        let now = Instant::now();
        budget.retry_begins(now);
        assert_eq!(budget.next_retry(now + seconds(299)), None);
        let later = now + seconds(300);
        assert_eq!(budget.next_retry(later), Some(later + seconds(1)));
    }

    #[test]
    fn forgiveness_opens_all_chances_again() {
        let mut budget = Budget::new(Restart {
            attempts: 1,
            ..Restart::default()
        });
        let now = Instant::now();
        budget.retry_begins(now);
        budget.forgive();
        assert_eq!(budget.next_retry(now), Some(now + seconds(1)));
    }

    #[test]
    fn no_attempts_allowed_means_no_retry_ever() {
        let mut budget = Budget::new(Restart {
            attempts: 0,
            ..Restart::default()
        });
        assert_eq!(budget.next_retry(Instant::now()), None);
    }
}
