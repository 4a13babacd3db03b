//! Relations between the keys of an instance.
//!
//! They are checked for each instance that has settings of its own, and once
//! for all the others, which are equal to each other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::checks::engines;
use crate::checks::relations::Clash;
use crate::effective::Effective;
use crate::error::Fault;
use crate::keys::Key;
use crate::merge::Merged;
use crate::notice::Notice;
use crate::origin::Origin;
use crate::problem::Problem;
use crate::scope::{InstanceId, Level, PoolName, Scope};
use crate::settings::profile;

pub(crate) fn check(
    merged: &Merged,
    pool: &PoolName,
    problems: &mut Vec<Problem>,
    notices: &mut Vec<Notice>,
) {
    for scope in distinct_scopes(merged, pool) {
        engines::check(merged, &scope, problems);
        problems.extend(profile_in_memory(merged, &scope));
        problems.extend(closed_before_parked(merged, &scope));
        probe_longer_than_pause(merged, &scope, problems, notices);
    }
}

/// The scopes whose settings can differ: every instance with settings of its
/// own and, if there are or may be other instances, the pool for them.
fn distinct_scopes(merged: &Merged, pool: &PoolName) -> Vec<Scope> {
    let own: BTreeSet<Scope> = merged
        .assignments()
        .map(|assignment| &assignment.scope)
        .filter(|scope| scope.level() == Level::Instance && scope.pool() == Some(pool))
        .cloned()
        .collect();
    let scope = Scope::Pool(pool.clone());
    let most: Option<usize> = merged.effective(&scope, Key::MaxInstances).get();
    let others = most.is_none_or(|most| own.len() < most);
    others.then_some(scope).into_iter().chain(own).collect()
}

/// A directory was named for a profile that is kept in memory. One that is
/// set more generally than ISOLATED is for the other instances, and fine.
fn profile_in_memory(merged: &Merged, scope: &Scope) -> Option<Problem> {
    let directory = merged.effective(scope, Key::UserDataDir);
    let isolated = merged.effective(scope, Key::Isolated);
    let meant_for_it = directory.level >= isolated.level && directory.level > Some(Level::Global);
    let clash = isolated.get::<bool>()? && directory.get::<PathBuf>().is_some() && meant_for_it;
    clash.then(|| in_memory_clash(scope, &directory, &isolated))
}

fn in_memory_clash(scope: &Scope, directory: &Effective, isolated: &Effective) -> Problem {
    Clash {
        scope,
        one: directory,
        other: isolated,
        why: "the profile of an isolated instance lives in memory and needs no directory",
        remedy: format!(
            "set {} to false, or leave out USER_DATA_DIR",
            isolated.remedy(scope, &directory.origin)
        ),
    }
    .problem()
}

fn closed_before_parked(merged: &Merged, scope: &Scope) -> Option<Problem> {
    let ttl = merged.effective(scope, Key::SessionTtl);
    let idle = merged.effective(scope, Key::SessionTimeout);
    let clash = ttl.get::<Duration>()? < idle.get::<Duration>()?;
    clash.then(|| {
        Clash {
            scope,
            one: &ttl,
            other: &idle,
            why: "a session would be closed as soon as it is parked",
            remedy: "raise SESSION_TTL or lower SESSION_TIMEOUT".to_owned(),
        }
        .problem()
    })
}

/// Refused when HEALTH_CHECK_TIMEOUT was asked for; its default beside a
/// short interval only means that probes follow each other without a pause.
fn probe_longer_than_pause(
    merged: &Merged,
    scope: &Scope,
    problems: &mut Vec<Problem>,
    notices: &mut Vec<Notice>,
) {
    let probe = merged.effective(scope, Key::HealthCheckTimeout);
    let pause = merged.effective(scope, Key::HealthCheckInterval);
    let longer = match (probe.get::<Duration>(), pause.get::<Duration>()) {
        (Some(probe), Some(pause)) => probe > pause,
        _ => false,
    };
    if !longer {
        return;
    }
    let refuse = probe.is_set();
    let clash = Clash {
        scope,
        one: &probe,
        other: &pause,
        why: "a probe that is not answered would still run when the next one is due",
        remedy: "lower HEALTH_CHECK_TIMEOUT or raise HEALTH_CHECK_INTERVAL".to_owned(),
    };
    clash.report(refuse, problems, notices);
}

/// No two instances of any pools share a profile directory, and a parent
/// directory for all of them is used by at least one.
pub(crate) fn check_profiles(merged: &Merged, problems: &mut Vec<Problem>) {
    let mut owners: BTreeMap<PathBuf, Scope> = BTreeMap::new();
    for scope in merged
        .pools()
        .iter()
        .flat_map(|pool| possible(merged, pool))
    {
        let Some(directory) = profile::directory(merged, &scope) else {
            continue;
        };
        match owners.get(&directory) {
            Some(other) => problems.push(shared(merged, other, &scope, &directory)),
            None => {
                owners.insert(directory, scope);
            }
        }
    }
    if owners.is_empty() {
        problems.extend(unused_parent(merged));
    }
}

/// Every instance that the pool has or may have.
fn possible(merged: &Merged, pool: &PoolName) -> Vec<Scope> {
    let scope = Scope::Pool(pool.clone());
    let most = merged.effective(&scope, Key::MaxInstances).get();
    (0..most.unwrap_or(0))
        .map(|id| Scope::Instance(pool.clone(), InstanceId(id)))
        .collect()
}

fn shared(merged: &Merged, one: &Scope, other: &Scope, directory: &Path) -> Problem {
    let origins = [other, one].map(|scope| merged.effective(scope, Key::UserDataDir).origin);
    Problem {
        place: origins.into_iter().find(Origin::is_set),
        fault: Fault::SharedProfile {
            one: one.to_string(),
            other: other.to_string(),
            directory: directory.display().to_string(),
        },
    }
}

/// A global USER_DATA_DIR that no instance uses, since all are isolated.
fn unused_parent(merged: &Merged) -> Option<Problem> {
    let directory = merged.effective(&Scope::Global, Key::UserDataDir);
    let pool = merged.pools().into_iter().next()?;
    let scope = Scope::Pool(pool);
    let isolated = merged.effective(&scope, Key::Isolated);
    let unused = directory.is_set() && isolated.get() == Some(true);
    unused.then(|| in_memory_clash(&scope, &directory, &isolated))
}
