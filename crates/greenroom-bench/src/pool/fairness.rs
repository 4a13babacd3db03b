//! Whether everybody gets a share, and in the order of arrival.

use crate::measure::median;

#[derive(Default)]
pub(super) struct Fairness {
    ratios: Vec<f64>,
    violations: usize,
}

impl Fairness {
    /// Adds one round: what each task got, and the order in which a queue was served.
    pub(super) fn add(&mut self, shares: &[u32], order: &[u32]) {
        let most = shares.iter().copied().max().unwrap_or(0);
        let least = shares.iter().copied().min().unwrap_or(0);
        self.ratios.push(f64::from(most) / f64::from(least.max(1)));
        self.violations += order.windows(2).filter(|pair| pair[0] > pair[1]).count();
    }

    /// The largest share of a task over the smallest, in the median round. (When the machine puts
    /// one thread of the runtime to sleep, the tasks of the other have the pool to themselves,
    /// whatever the pool does; the median leaves such rounds out.)
    pub(super) fn ratio(&self) -> String {
        format!("{:.2}", median(self.ratios.clone()))
    }

    /// How often somebody was served after one who came later, in all rounds.
    pub(super) fn violations(&self) -> String {
        self.violations.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_judged_by_the_median_and_order_by_the_sum_of_all_rounds() {
        let mut fairness = Fairness::default();
        fairness.add(&[10, 20], &[0, 1, 2, 3]);
        fairness.add(&[10, 10], &[1, 0, 2, 3]);
        fairness.add(&[10, 30], &[0, 2, 1, 3]);
        assert_eq!(fairness.ratio(), "2.00");
        assert_eq!(fairness.violations(), "2");
    }
}
