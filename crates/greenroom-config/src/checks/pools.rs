//! Relations between the keys of a pool.

use std::time::Duration;

use crate::checks::relations::Clash;
use crate::keys::Key;
use crate::merge::Merged;
use crate::notice::Notice;
use crate::problem::Problem;
use crate::scope::{PoolName, Scope};
use crate::values::choices::Sticky;

pub(crate) fn check(
    merged: &Merged,
    pool: &PoolName,
    problems: &mut Vec<Problem>,
    notices: &mut Vec<Notice>,
) {
    let scope = Scope::Pool(pool.clone());
    problems.extend(cap_below_start(merged, &scope));
    problems.extend(watermark_above_cap(merged, &scope));
    hold_beyond_wait(merged, &scope, problems, notices);
}

fn cap_below_start(merged: &Merged, scope: &Scope) -> Option<Problem> {
    let cap = merged.effective(scope, Key::MaxInstances);
    let start = merged.effective(scope, Key::Instances);
    let clash = cap.get::<u64>()? < start.get::<u64>()?;
    clash.then(|| {
        Clash {
            scope,
            one: &cap,
            other: &start,
            why: "a pool cannot start more instances than it may have",
            remedy: "raise MAX_INSTANCES or lower INSTANCES".to_owned(),
        }
        .problem()
    })
}

fn watermark_above_cap(merged: &Merged, scope: &Scope) -> Option<Problem> {
    let idle = merged.effective(scope, Key::MinIdle);
    let cap = merged.effective(scope, Key::MaxInstances);
    let clash = idle.get::<u64>()? > cap.get::<u64>()?;
    clash.then(|| {
        Clash {
            scope,
            one: &idle,
            other: &cap,
            why: "no more instances can be free than there may be",
            remedy: "lower MIN_IDLE or raise MAX_INSTANCES".to_owned(),
        }
        .problem()
    })
}

/// No waiter could ever make an idle session park. Refused when MIN_HOLD was
/// asked for; a default that nobody chose is no reason to refuse a short
/// LEASE_TIMEOUT.
fn hold_beyond_wait(
    merged: &Merged,
    scope: &Scope,
    problems: &mut Vec<Problem>,
    notices: &mut Vec<Notice>,
) {
    let hold = merged.effective(scope, Key::MinHold);
    let wait = merged.effective(scope, Key::LeaseTimeout);
    let beyond = match (hold.get::<Duration>(), wait.get::<Duration>()) {
        (Some(hold), Some(wait)) => hold > wait,
        _ => false,
    };
    // Calls that lease an instance each hold nothing between them.
    let sessions = merged.effective(scope, Key::Sticky).get() == Some(Sticky::Connection);
    if !(beyond && sessions) {
        return;
    }
    let refuse = hold.is_set();
    let clash = Clash {
        scope,
        one: &hold,
        other: &wait,
        why: "every waiter would give up before an idle session is parked for it",
        remedy: "lower MIN_HOLD or raise LEASE_TIMEOUT".to_owned(),
    };
    clash.report(refuse, problems, notices);
}
