//! Pools are whole: each has a number of instances, exactly one is the
//! default, overrides name instances that exist, aliases are unique.

use std::collections::BTreeMap;

use crate::effective::Effective;
use crate::error::Fault;
use crate::keys::{Key, nearest};
use crate::merge::Merged;
use crate::names;
use crate::origin::Origin;
use crate::problem::Problem;
use crate::scope::{InstanceId, PoolName, Scope};

pub(crate) fn check(merged: &Merged, problems: &mut Vec<Problem>) {
    if merged.has_built_in_pool() {
        return;
    }
    for pool in merged.pools() {
        instances_set(merged, &pool, problems);
        overrides_exist(merged, &pool, problems);
        aliases_unique(merged, &pool, problems);
    }
    one_default(merged, problems);
}

fn instances_set(merged: &Merged, pool: &PoolName, problems: &mut Vec<Problem>) {
    let scope = Scope::Pool(pool.clone());
    let told = merged.assigned(&scope, Key::Instances).is_some()
        || merged.is_misplaced_for(Key::Instances, pool);
    if told {
        return;
    }
    let variable = names::variable(&scope, Key::Instances);
    let fault = Fault::MissingInstances {
        pool: pool.to_string(),
        remedy: format!(
            "{variable}, or `instances = N` under [pools.{pool}] (`count = N` under [pools.{pool}.instances] where it has overrides)"
        ),
        hint: similar_pool(merged, pool),
    };
    let place = merged.mentioned_at(pool).cloned();
    problems.push(Problem { place, fault });
}

/// A pool that is mentioned but not declared is often a misspelt one.
fn similar_pool(merged: &Merged, pool: &PoolName) -> String {
    let declared: Vec<PoolName> = merged
        .pools()
        .into_iter()
        .filter(|other| {
            let scope = Scope::Pool(other.clone());
            other != pool && merged.assigned(&scope, Key::Instances).is_some()
        })
        .collect();
    let near = nearest(pool.as_str(), declared.iter().map(PoolName::as_str));
    near.map_or(String::new(), |(name, _)| {
        format!(", unless you meant pool {name}")
    })
}

fn overrides_exist(merged: &Merged, pool: &PoolName, problems: &mut Vec<Problem>) {
    let instances = merged.effective(&Scope::Pool(pool.clone()), Key::Instances);
    let Some(count) = instances.get::<u64>() else {
        return;
    };
    for (id, origin) in overrides(merged, pool) {
        if u64::from(id.0) < count {
            continue;
        }
        let range = match count {
            1 => "ID 0".to_owned(),
            _ => format!("IDs 0 to {}", count - 1),
        };
        let fault = Fault::NoSuchInstance {
            pool: pool.to_string(),
            id: id.0,
            instances: count,
            range,
            origin: instances.origin.to_string(),
        };
        problems.push(Problem::at(origin.clone(), fault));
    }
}

fn overrides<'a>(
    merged: &'a Merged,
    pool: &'a PoolName,
) -> impl Iterator<Item = (InstanceId, &'a Origin)> {
    merged.assignments().filter_map(move |a| match &a.scope {
        Scope::Instance(other, id) if other == pool => Some((*id, &a.origin)),
        _ => None,
    })
}

fn aliases_unique(merged: &Merged, pool: &PoolName, problems: &mut Vec<Problem>) {
    let mut seen: BTreeMap<String, (InstanceId, &Origin)> = BTreeMap::new();
    for assignment in merged.assignments().filter(|a| a.key == Key::Alias) {
        let Scope::Instance(owner, id) = &assignment.scope else {
            continue;
        };
        let effective = merged.effective(&assignment.scope, Key::Alias);
        let Some(alias) = effective.get::<String>().filter(|_| owner == pool) else {
            continue;
        };
        match seen.get(&alias) {
            None => {
                seen.insert(alias, (*id, &assignment.origin));
            }
            Some((other, origin)) => {
                let fault = Fault::DuplicateAlias {
                    pool: pool.to_string(),
                    alias,
                    other: other.0,
                    origin: origin.to_string(),
                };
                problems.push(Problem::at(assignment.origin.clone(), fault));
            }
        }
    }
}

fn one_default(merged: &Merged, problems: &mut Vec<Problem>) {
    let pools = merged.pools();
    let told: Vec<(&PoolName, Effective)> = pools
        .iter()
        .map(|pool| (pool, Scope::Pool(pool.clone())))
        .map(|(pool, scope)| (pool, merged.effective(&scope, Key::IsDefault)))
        .collect();
    // How many defaults there are cannot be said while one of the answers is
    // unreadable or stands in a wrong place.
    let unclear = told.iter().any(|(_, told)| told.value.is_none());
    if unclear || merged.is_misplaced(Key::IsDefault) {
        return;
    }
    let mut defaults = told;
    defaults.retain(|(_, told)| told.get() == Some(true));
    match &defaults[..] {
        [_] => {}
        [] => problems.push(no_default(&pools)),
        [_, .., last] => {
            let told: Vec<String> = defaults
                .iter()
                .map(|(pool, told)| format!("{pool} ({})", told.origin))
                .collect();
            let pools = told.join(", ");
            problems.push(Problem::at(
                last.1.origin.clone(),
                Fault::MultipleDefaults { pools },
            ));
        }
    }
}

fn no_default(pools: &[PoolName]) -> Problem {
    let names: Vec<&str> = pools.iter().map(PoolName::as_str).collect();
    let remedy = names::variable(&Scope::Pool(pools[0].clone()), Key::IsDefault);
    Problem {
        place: None,
        fault: Fault::NoDefault {
            pools: names.join(", "),
            remedy,
        },
    }
}
