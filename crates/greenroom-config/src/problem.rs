//! Mistakes with their places, all of them together.
//!
//! A [`Problem`] says where ([`Origin`]) and what ([`Fault`]); [`Problems`]
//! holds all of them, because a person who fixes five mistakes wants to hear
//! of five at once.

use std::fmt;

use crate::error::Fault;
use crate::origin::Origin;

/// One mistake: where it is, what it is, and how to fix it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The place that caused it, if one place did.
    pub place: Option<Origin>,
    /// What is wrong there.
    pub fault: Fault,
}

impl Problem {
    pub(crate) fn at(place: Origin, fault: Fault) -> Self {
        Self {
            place: Some(place),
            fault,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{}: {}", place.place(), self.fault),
            None => self.fault.fmt(f),
        }
    }
}

/// Every problem of a configuration, in the order of the sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    pub(crate) fn new(mut problems: Vec<Problem>) -> Self {
        problems.sort_by(|a, b| order(a).cmp(&order(b)));
        // One cause may be met on several ways; it is told once.
        let mut seen: Vec<Problem> = Vec::new();
        problems.retain(|problem| {
            let new = !seen.contains(problem);
            if new {
                seen.push(problem.clone());
            }
            new
        });
        Self(problems)
    }

    /// The problems one by one.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.0.iter()
    }

    /// How many there are; never zero.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "there is always a problem")]
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// Problems without a place come last.
fn order(problem: &Problem) -> (bool, Option<&Origin>) {
    (problem.place.is_none(), problem.place.as_ref())
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
