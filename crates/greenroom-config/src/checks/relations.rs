//! The words for two settings that do not go together.

use crate::effective::Effective;
use crate::error::Fault;
use crate::notice::Notice;
use crate::problem::Problem;
use crate::scope::{Level, PoolName, Scope};

/// Two settings at one scope that do not go together.
pub(crate) struct Clash<'a> {
    /// The scope where they meet.
    pub(crate) scope: &'a Scope,
    /// The one that gives way if a choice must be made.
    pub(crate) one: &'a Effective,
    pub(crate) other: &'a Effective,
    pub(crate) why: &'static str,
    pub(crate) remedy: String,
}

impl Clash<'_> {
    /// The clash as a problem, at the place that a person wrote.
    pub(crate) fn problem(self) -> Problem {
        let place = [self.one, self.other]
            .into_iter()
            .find(|setting| setting.is_set());
        Problem {
            place: place.map(|setting| setting.origin.clone()),
            fault: Fault::Contradiction {
                subject: self.subject().to_string(),
                one: self.one.told(),
                other: self.other.told(),
                why: self.why,
                remedy: self.remedy,
            },
        }
    }

    /// The clash as a problem, or as advice where it is not to be refused.
    pub(crate) fn report(
        self,
        refuse: bool,
        problems: &mut Vec<Problem>,
        notices: &mut Vec<Notice>,
    ) {
        if refuse {
            problems.push(self.problem());
        } else {
            notices.push(self.advice());
        }
    }

    /// The clash as advice: it works, though perhaps not as meant.
    fn advice(self) -> Notice {
        let (one, other) = (self.one.told(), self.other.told());
        let (subject, why, remedy) = (self.subject(), self.why, &self.remedy);
        Notice::Advice {
            place: self.other.is_set().then(|| self.other.origin.clone()),
            text: format!("{subject}: {one} with {other}: {why}; {remedy}"),
        }
    }

    /// The scope to blame: the instance only where one of the two settings
    /// is its own, so that a pool's mistake is told once and not for each of
    /// its instances.
    fn subject(&self) -> Scope {
        let own = |setting: &Effective| setting.level == Some(Level::Instance);
        match self.scope {
            Scope::Instance(pool, _) if !own(self.one) && !own(self.other) => {
                Scope::Pool(PoolName::clone(pool))
            }
            scope => scope.clone(),
        }
    }
}
