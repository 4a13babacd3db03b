//! The table, and whether each figure is what it is meant to be. What is missed is said.

use std::io::{self, Write};

use super::Figure;
use crate::Verdict;
use crate::table::Table;

/// What a figure of Greenroom is measured by.
#[derive(Clone, Copy)]
pub(super) enum Bound {
    /// At most so many times that of the limit.
    OfLimit(f64),
    /// At least so many times that of the limit, for what is better when it is more.
    AtLeastOfLimit(f64),
    /// At most so many times that of the upstream.
    OfUpstream(f64),
}

impl Bound {
    fn is_met(self, Figure([limit, ours, upstream]): Figure) -> bool {
        match self {
            Self::OfLimit(times) => ours <= limit * times,
            Self::AtLeastOfLimit(times) => ours >= limit * times,
            Self::OfUpstream(times) => ours <= upstream * times,
        }
    }

    fn said(self) -> String {
        match self {
            Self::OfLimit(times) => format!("<= {times} raw"),
            Self::AtLeastOfLimit(times) => format!(">= {times} raw"),
            Self::OfUpstream(times) => format!("<= {times} mcp"),
        }
    }
}

pub(super) struct Report {
    table: Table,
    missed: usize,
}

impl Report {
    pub(super) fn new() -> Self {
        let table = Table::new([
            "raw CDP",
            "greenroom",
            "playwright-mcp",
            "x raw",
            "x mcp",
            "target",
            "verdict",
        ]);
        Self { table, missed: 0 }
    }

    /// Milliseconds.
    pub(super) fn times(&mut self, name: &str, figure: Figure, bound: Bound) {
        self.row(name, figure, bound, |value| format!("{value:.2} ms"));
    }

    /// Megabytes.
    pub(super) fn memory(&mut self, name: &str, figure: Figure, bound: Bound) {
        self.row(name, figure, bound, |value| format!("{value:.1} MB"));
    }

    /// How many in a second.
    pub(super) fn rate(&mut self, name: &str, figure: Figure, bound: Bound) {
        self.row(name, figure, bound, |value| format!("{value:.1} /s"));
    }

    fn row(&mut self, name: &str, figure: Figure, bound: Bound, unit: fn(f64) -> String) {
        let is_met = bound.is_met(figure);
        self.missed += usize::from(!is_met);
        let Figure([limit, ours, upstream]) = figure;
        let mut cells: Vec<String> = figure.0.map(unit).into();
        cells.push(format!("{:.2}", ours / limit));
        cells.push(format!("{:.2}", ours / upstream));
        cells.push(bound.said());
        cells.push(if is_met { "met" } else { "MISSED" }.to_owned());
        self.table.row(name, cells);
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.table.write(out)
    }

    pub(super) fn verdict(&self) -> Verdict {
        if self.missed == 0 {
            Verdict::Good
        } else {
            Verdict::Bad
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_met_up_to_its_edge_and_missed_beyond_it() {
        for (bound, met, missed) in [
            (Bound::OfLimit(1.2), 12.0, 12.1),
            (Bound::AtLeastOfLimit(0.8), 8.0, 7.9),
            (Bound::OfUpstream(0.25), 25.0, 25.1),
        ] {
            assert!(bound.is_met(Figure([10.0, met, 100.0])), "{}", bound.said());
            assert!(
                !bound.is_met(Figure([10.0, missed, 100.0])),
                "{}",
                bound.said()
            );
        }
    }

    #[test]
    fn one_missed_target_makes_the_verdict_bad_and_is_written_down() {
        let mut report = Report::new();
        report.times("quick", Figure([1.0, 1.0, 9.0]), Bound::OfLimit(1.2));
        assert!(report.verdict() == Verdict::Good);
        report.times("slow", Figure([1.0, 2.0, 9.0]), Bound::OfLimit(1.2));
        assert!(report.verdict() == Verdict::Bad);
        let mut written = Vec::new();
        report.write(&mut written).unwrap();
        let written = String::from_utf8(written).unwrap();
        assert!(
            written.contains("MISSED") && written.contains("met"),
            "{written}"
        );
    }
}
