//! Checks of the merged settings: that pools are whole, and that values which
//! depend on each other can hold together.
//!
//! A check is silent about what is already reported: a value that cannot be
//! read, or a setting made in a wrong place, is no reason to call something
//! missing or contradictory.

mod engines;
mod instances;
mod pools;
mod relations;
mod server;
mod structure;

use crate::merge::Merged;
use crate::problem::Problem;

/// Every problem of the settings as a whole; advice goes to the notices.
pub(crate) fn check(merged: &mut Merged) -> Vec<Problem> {
    let mut findings = Vec::new();
    structure::check(merged, &mut findings);
    let mut notices = Vec::new();
    for pool in merged.pools() {
        pools::check(merged, &pool, &mut findings, &mut notices);
        instances::check(merged, &pool, &mut findings, &mut notices);
    }
    instances::check_profiles(merged, &mut findings);
    server::check(merged, &mut findings, &mut notices);
    merged.notices.extend(notices);
    findings
}
