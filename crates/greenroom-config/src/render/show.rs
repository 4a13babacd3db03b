//! Effective values with their origins, as text and as JSON. Secrets are
//! masked in both.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json, json};

use crate::effective::Effective;
use crate::keys::{Fallback, Key, Levels, Row, table};
use crate::scope::{InstanceId, Level, PoolName, Scope};
use crate::settings::{PoolSettings, Settings};
use crate::values::render;

impl Settings {
    /// Every effective value with where it came from, one per line.
    ///
    /// The values that a pool gives to its instances are printed once, and
    /// for each instance only what is its own.
    #[must_use]
    pub fn show(&self) -> String {
        let mut text = String::from("server\n");
        let server = rows(Levels::Global).map(|row| self.at(&Scope::Global, row.key));
        lines(&mut text, "  ", server);
        for pool in &self.pools {
            self.show_pool(&mut text, pool);
        }
        text
    }

    fn show_pool(&self, text: &mut String, pool: &PoolSettings) {
        let name = &pool.name;
        let default = if pool.is_default { " (default)" } else { "" };
        let scope = Scope::Pool(name.clone());
        let _ = writeln!(text, "\npool {name}{default}");
        let pool_rows = rows(Levels::Pool).map(|row| self.at(&scope, row.key));
        lines(text, "  ", pool_rows);
        let _ = writeln!(text, "  every instance, unless it says otherwise below");
        let shared = rows(Levels::All).map(|row| self.at(&scope, row.key));
        lines(text, "    ", shared);
        for instance in &pool.instances {
            self.show_instance(text, name, instance.id);
        }
    }

    fn show_instance(&self, text: &mut String, pool: &PoolName, id: InstanceId) {
        let scope = Scope::Instance(pool.clone(), id);
        let own = table()
            .map(|row| self.at(&scope, row.key))
            .filter(|effective| effective.level == Some(Level::Instance))
            .collect::<Vec<_>>();
        if own.is_empty() {
            let _ = writeln!(text, "  instance {id}: as the pool");
            return;
        }
        let _ = writeln!(text, "  instance {id}");
        lines(text, "    ", own.into_iter());
    }

    /// Every effective value with its origin and level, as JSON. Instances
    /// are complete here.
    #[must_use]
    pub fn show_json(&self) -> String {
        let pools: Vec<Json> = self.pools.iter().map(|pool| self.pool_json(pool)).collect();
        let document = json!({
            "server": self.object(&Scope::Global, rows(Levels::Global)),
            "pools": pools,
            "notices": self.notices.iter().map(ToString::to_string).collect::<Vec<_>>(),
        });
        format!("{document:#}\n")
    }

    fn pool_json(&self, pool: &PoolSettings) -> Json {
        let scope = Scope::Pool(pool.name.clone());
        let instances: Vec<Json> = pool
            .instances
            .iter()
            .map(|instance| {
                let scope = Scope::Instance(pool.name.clone(), instance.id);
                let keys = rows(Levels::Instance).chain(rows(Levels::All));
                json!({
                    "id": instance.id.to_string(),
                    "settings": self.object(&scope, keys),
                })
            })
            .collect();
        json!({
            "name": pool.name,
            "settings": self.object(&scope, rows(Levels::Pool).chain(rows(Levels::All))),
            "instances": instances,
        })
    }

    fn object(&self, scope: &Scope, rows: impl Iterator<Item = &'static Row>) -> Json {
        let entry = |row: &Row| {
            let effective = self.at(scope, row.key);
            let value = effective.value.as_ref();
            let shown = json!({
                "value": value.map_or(Json::Null, |value| render::json(value, row.kind)),
                "origin": effective.origin.to_string(),
                "level": effective.level,
            });
            (row.name.to_owned(), shown)
        };
        Json::Object(rows.map(entry).collect::<Map<_, _>>())
    }

    fn at(&self, scope: &Scope, key: Key) -> Effective {
        self.merged.effective(scope, key)
    }
}

fn rows(levels: Levels) -> impl Iterator<Item = &'static Row> {
    table().filter(move |row| row.levels == levels)
}

/// Lines of three aligned columns: key, value, origin.
fn lines(text: &mut String, indent: &str, values: impl Iterator<Item = Effective>) {
    let values: Vec<(Effective, String)> = values
        .map(|effective| {
            let shown = shown(&effective);
            (effective, shown)
        })
        .collect();
    let width = |of: fn(&(Effective, String)) -> usize| values.iter().map(of).max().unwrap_or(0);
    let keys = width(|(effective, _)| effective.key.name().len());
    // A long value does not push all others aside.
    let shown = width(|(_, shown)| shown.chars().count()).min(40);
    for (effective, value) in &values {
        let (key, origin) = (effective.key.name(), &effective.origin);
        let _ = writeln!(text, "{indent}{key:keys$}  {value:shown$}  {origin}");
    }
}

/// The value, or in parentheses what holds without one.
fn shown(effective: &Effective) -> String {
    effective.shown().unwrap_or_else(|| {
        let fallback = effective.key.row().fallback;
        match fallback {
            Fallback::Nothing(text) | Fallback::Computed(text) => format!("({text})"),
            Fallback::Is(_) | Fallback::Required => String::new(),
        }
    })
}
