//! Settings of all sources in one place: which value holds where, and why.
//!
//! Two orders decide, and the level comes first. A value of the instance
//! wins over one of its pool, and that over a global one, whichever source
//! each came from: an instance's value in TOML beats a global variable of the
//! environment, because it was said about that instance. Only between values
//! of the same level does the source decide: defaults, TOML file, `.env`,
//! environment, flags, the later the stronger. Within one source a key's own
//! name wins over an older name of it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::defaults;
use crate::effective::Effective;
use crate::keys::{Effect, Key, table};
use crate::notice::Notice;
use crate::origin::Origin;
use crate::scope::{PoolName, Scope};
use crate::values::value::Value;

/// A setting that a source made.
#[derive(Debug, Clone)]
pub(crate) struct Assignment {
    pub(crate) scope: Scope,
    pub(crate) key: Key,
    /// The value; none when it could not be read.
    pub(crate) value: Option<Value>,
    pub(crate) origin: Origin,
    /// Whether it was made under an older name.
    pub(crate) old: bool,
}

/// All settings, merged.
#[derive(Debug, Clone)]
pub(crate) struct Merged {
    values: BTreeMap<(Scope, Key), Assignment>,
    /// The pools that any source mentions, and where first.
    mentioned: BTreeMap<PoolName, Origin>,
    /// Settings that were made in a place which may not make them, or under a
    /// misspelt name. They are reported as that and as nothing else.
    misplaced: Vec<(Scope, Key)>,
    pub(crate) notices: Vec<Notice>,
    data_home: Option<PathBuf>,
}

impl Merged {
    pub(crate) fn new(data_home: Option<PathBuf>) -> Self {
        Self {
            values: BTreeMap::new(),
            mentioned: BTreeMap::new(),
            misplaced: Vec::new(),
            notices: Vec::new(),
            data_home,
        }
    }

    /// Adds a setting. Sources come in the order of their precedence, so a
    /// later one replaces an earlier one, unless it is an older name beside
    /// the key's own name in the same source.
    pub(crate) fn assign(&mut self, new: Assignment) {
        let place = (new.scope.clone(), new.key);
        let keep = self.values.get(&place).is_some_and(|present| {
            let same_source = source(&present.origin) == source(&new.origin);
            same_source && new.old && !present.old
        });
        if !keep {
            self.values.insert(place, new);
        }
    }

    pub(crate) fn mention(&mut self, pool: &PoolName, origin: &Origin) {
        let first = self.mentioned.entry(pool.clone());
        first.or_insert_with(|| origin.clone());
    }

    pub(crate) fn misplace(&mut self, scope: Scope, key: Key) {
        self.misplaced.push((scope, key));
    }

    /// Whether `key` was meant to be set for `pool`, in a wrong place.
    pub(crate) fn is_misplaced_for(&self, key: Key, pool: &PoolName) -> bool {
        let mut places = self.misplaced.iter();
        places.any(|(scope, other)| *other == key && scope.pool() == Some(pool))
    }

    /// Whether `key` was meant to be set anywhere, in a wrong place.
    pub(crate) fn is_misplaced(&self, key: Key) -> bool {
        self.misplaced.iter().any(|(_, other)| *other == key)
    }

    /// The pools, by name; the built-in one if none is mentioned.
    pub(crate) fn pools(&self) -> Vec<PoolName> {
        if self.has_built_in_pool() {
            return vec![defaults::built_in_pool()];
        }
        self.mentioned.keys().cloned().collect()
    }

    /// Where a pool was first mentioned; the built-in pool was not.
    pub(crate) fn mentioned_at(&self, pool: &PoolName) -> Option<&Origin> {
        self.mentioned.get(pool)
    }

    pub(crate) fn has_built_in_pool(&self) -> bool {
        self.mentioned.is_empty()
    }

    /// What was set for exactly this scope and key.
    pub(crate) fn assigned(&self, scope: &Scope, key: Key) -> Option<&Assignment> {
        self.values.get(&(scope.clone(), key))
    }

    /// Every setting that counts, ordered by scope and key.
    pub(crate) fn assignments(&self) -> impl Iterator<Item = &Assignment> {
        self.values.values()
    }

    /// The value that holds for `scope`, and where it came from.
    pub(crate) fn effective(&self, scope: &Scope, key: Key) -> Effective {
        let mut at = Some(scope.clone());
        while let Some(scope) = at {
            if let Some(assignment) = self.assigned(&scope, key) {
                return Effective {
                    key,
                    value: assignment.value.clone(),
                    origin: assignment.origin.clone(),
                    level: Some(scope.level()),
                };
            }
            at = scope.parent();
        }
        self.fallback(scope, key)
    }

    fn fallback(&self, scope: &Scope, key: Key) -> Effective {
        let built_in = self.has_built_in_pool() && scope.pool().is_some();
        let special = built_in.then(|| defaults::built_in(key)).flatten();
        let origin = match special {
            Some(_) => Origin::BuiltInPool,
            None => Origin::Default,
        };
        let usual = || defaults::value(key).cloned();
        Effective {
            key,
            value: special.or_else(usual).or_else(|| self.computed(scope, key)),
            origin,
            level: None,
        }
    }

    /// Defaults that depend on other settings.
    fn computed(&self, scope: &Scope, key: Key) -> Option<Value> {
        match key {
            Key::MaxInstances => {
                let pool = Scope::Pool(scope.pool()?.clone());
                self.effective(&pool, Key::Instances).value
            }
            Key::DataDir => {
                let home = self.data_home.as_ref()?;
                Some(Value::Path(home.join("greenroom")))
            }
            Key::DatabasePath => {
                let data: PathBuf = self.effective(&Scope::Global, Key::DataDir).get()?;
                Some(Value::Path(data.join("greenroom.db")))
            }
            _ => None,
        }
    }

    /// Adds a notice for every key that is set and has no effect yet.
    pub(crate) fn note_keys_without_effect(&mut self) {
        for row in table().filter(|row| row.effect == Effect::NotYet) {
            let set = self.values.values().filter(|a| a.key == row.key);
            let places: Vec<Origin> = set.map(|a| a.origin.clone()).collect();
            if !places.is_empty() {
                let key = row.name;
                self.notices.push(Notice::NoEffectYet { key, places });
            }
        }
    }
}

fn source(origin: &Origin) -> std::mem::Discriminant<Origin> {
    std::mem::discriminant(origin)
}
