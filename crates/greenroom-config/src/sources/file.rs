//! The TOML file, walked with the position of every key.
//!
//! Keys of the server stand at the top, those of a pool under
//! `[pools.NAME]`, those of an instance under `[pools.NAME.instances.ID]`.
//! A pool says how many instances it has with `instances = 3`; when it has
//! overrides, `instances` is the table that holds them, and the number moves
//! into that table as `count = 3`.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::Fault;
use crate::keys::{Key, nearest, table};
use crate::names::{Misread, Reading};
use crate::origin::Origin;
use crate::scope::{InstanceId, PoolName, Scope};
use crate::sources::lines::Lines;
use crate::sources::{Collected, Entry, Inputs, Trust, base, find};
use crate::values::parse::Base;
use crate::values::raw::Raw;

pub(crate) fn collect(inputs: &Inputs, collected: &mut Collected) {
    let Some((path, trust)) = find::toml(inputs) else {
        return;
    };
    let whole = Origin::File {
        path: path.clone(),
        line: 0,
        column: 0,
    };
    let text = match find::read(&path).and_then(utf8) {
        Ok(text) => text,
        Err(fault) => return collected.unread(whole, fault),
    };
    let directory = path.parent().unwrap_or(Path::new("/"));
    let mut walk = Walk {
        path: &path,
        lines: Lines::new(&text),
        base: base(&inputs.environment, directory),
        trust,
        collected,
    };
    walk.document(&text);
}

fn utf8(bytes: Vec<u8>) -> Result<String, Fault> {
    String::from_utf8(bytes).map_err(|_| Fault::Unreadable {
        reason: "it is not UTF-8".to_owned(),
    })
}

struct Walk<'a> {
    path: &'a Path,
    lines: Lines<'a>,
    base: Base,
    trust: Trust,
    collected: &'a mut Collected,
}

impl Walk<'_> {
    fn document(&mut self, text: &str) {
        let document = match DeTable::parse(text) {
            Ok(document) => document.into_inner(),
            Err(error) => {
                let offset = error.span().map_or(0, |span| span.start);
                let place = self.origin(offset);
                let hint = hint(error.message(), text.get(offset..).unwrap_or_default());
                let message = format!("{}{hint}", error.message());
                return self.collected.unread(place, Fault::Syntax { message });
            }
        };
        for (key, value) in &document {
            let place = self.origin(key.span().start);
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("pools", DeValue::Table(pools)) => self.pools(pools),
                ("pools", _) => self.not_a_table(place, "pools"),
                (name, value) => self.setting(Scope::Global, name, value, place),
            }
        }
    }

    fn pools(&mut self, pools: &DeTable<'_>) {
        for (key, value) in pools {
            let place = self.origin(key.span().start);
            let name = key.get_ref();
            let Some(pool) = PoolName::new(name) else {
                self.collected.problem(place, Fault::bad_pool_name(name));
                continue;
            };
            let DeValue::Table(settings) = value.get_ref() else {
                self.not_a_table(place, name);
                continue;
            };
            self.collected.tables.insert(pool.clone(), place);
            self.pool(&pool, settings);
        }
    }

    fn pool(&mut self, pool: &PoolName, settings: &DeTable<'_>) {
        for (key, value) in settings {
            let place = self.origin(key.span().start);
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("instances", DeValue::Table(overrides)) => self.instances(pool, overrides),
                (name, value) => self.setting(Scope::Pool(pool.clone()), name, value, place),
            }
        }
    }

    /// The table of overrides, which also holds the number of instances.
    fn instances(&mut self, pool: &PoolName, overrides: &DeTable<'_>) {
        for (key, value) in overrides {
            let place = self.origin(key.span().start);
            let name = key.get_ref();
            if name == "count" {
                let scope = Scope::Pool(pool.clone());
                self.entry(scope, Key::Instances, value.get_ref(), place);
                continue;
            }
            match (InstanceId::parse(name), value.get_ref()) {
                (Some(id), DeValue::Table(settings)) => self.instance(pool, id, settings),
                (Some(_), _) => self.not_a_table(place, name),
                (None, _) => {
                    let text = name.to_string();
                    let fault = Fault::InstanceIdNotANumber { text };
                    self.collected.problem(place, fault);
                }
            }
        }
    }

    fn instance(&mut self, pool: &PoolName, id: InstanceId, settings: &DeTable<'_>) {
        for (key, value) in settings {
            let place = self.origin(key.span().start);
            let scope = Scope::Instance(pool.clone(), id);
            self.setting(scope, key.get_ref(), value.get_ref(), place);
        }
    }

    fn setting(&mut self, scope: Scope, name: &str, value: &DeValue<'_>, place: Origin) {
        let known = table().find(|row| row.toml_name() == name);
        match known {
            Some(row) => self.entry(scope, row.key, value, place),
            None => self.collected.misread(place, unknown(scope, name)),
        }
    }

    fn entry(&mut self, scope: Scope, key: Key, value: &DeValue<'_>, origin: Origin) {
        self.collected.entries.push(Entry {
            reading: Reading::Settled(scope, key),
            old: None,
            raw: raw(value),
            origin,
            base: self.base.clone(),
            trust: self.trust,
        });
    }

    fn not_a_table(&mut self, place: Origin, name: &str) {
        let fault = Fault::NotATable {
            name: name.to_owned(),
            expected: "a table",
            remedy: "write [pools.NAME] for a pool and [pools.NAME.instances.ID] for an instance",
        };
        self.collected.problem(place, fault);
    }

    fn origin(&self, offset: usize) -> Origin {
        let (line, column) = self.lines.position(offset);
        Origin::File {
            path: self.path.to_owned(),
            line,
            column,
        }
    }
}

/// A help for the one mistake that our own layout invites: `instances = 3` and overrides beside it.
fn hint(message: &str, rest: &str) -> &'static str {
    let twice = message.starts_with("cannot extend value") && rest.starts_with("instances");
    if twice {
        " (a pool with overrides writes `count = N` under [pools.NAME.instances] instead of `instances = N`)"
    } else {
        ""
    }
}

fn unknown(scope: Scope, name: &str) -> Misread {
    let upper = name.to_ascii_uppercase();
    let near = nearest(&upper, table().map(|row| row.name));
    let key = near.and_then(|(name, _)| Key::from_name(name));
    Misread {
        fault: Box::new(Fault::UnknownKey {
            name: name.to_owned(),
            suggestion: key.map(|key| key.row().toml_name()),
        }),
        guess: key.map(|key| (scope, key)),
    }
}

fn raw(value: &DeValue<'_>) -> Raw {
    match value {
        DeValue::String(text) => Raw::String(text.to_string()),
        DeValue::Boolean(value) => Raw::Bool(*value),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or(Raw::Other("a number out of range"), Raw::Integer),
        DeValue::Float(_) => Raw::Other("a fraction"),
        DeValue::Datetime(_) => Raw::Other("a date"),
        DeValue::Table(_) => Raw::Other("a table"),
        DeValue::Array(items) => strings(items.iter()),
    }
}

fn strings<'a, 'i: 'a>(items: impl Iterator<Item = &'a Spanned<DeValue<'i>>>) -> Raw {
    let texts: Option<Vec<String>> = items
        .map(|item| item.get_ref().as_str().map(str::to_owned))
        .collect();
    texts.map_or(
        Raw::Other("an array of other things than strings"),
        Raw::Strings,
    )
}
