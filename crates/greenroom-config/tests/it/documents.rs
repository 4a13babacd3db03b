//! The committed documents agree with the table of keys.

use std::fs;
use std::path::Path;

use greenroom_config::{EXAMPLE, Fallback, Key, Levels, Row, Scope, reference, table};

use crate::support::{Setup, instance, pool, told};

#[test]
fn the_committed_reference_is_the_rendered_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/configuration.md");
    let committed = fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed == reference(),
        "docs/configuration.md is out of date; run: greenroom config reference > docs/configuration.md"
    );
}

#[test]
fn the_reference_names_every_key_and_every_older_name() {
    let text = reference();
    for row in table() {
        assert!(
            text.contains(&format!("| `{}` |", row.name)),
            "{}",
            row.name
        );
    }
    assert!(text.contains("| `BROWSER_TIMEOUT_MINUTES` | `SESSION_TIMEOUT` (in minutes) |"));
}

/// The example with every setting switched on: a setting is a `#` that a name
/// or a table follows at once, while prose has a space there.
pub(crate) fn uncommented() -> String {
    let line = |line: &str| {
        let setting = line
            .strip_prefix('#')
            .filter(|rest| rest.starts_with(|c: char| c == '[' || c.is_ascii_lowercase()));
        setting.unwrap_or(line).to_owned()
    };
    EXAMPLE.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_example_as_it_stands_changes_nothing() {
    let setup = Setup::new();
    let without = setup.settings();
    let with = setup.emptied().toml(EXAMPLE).settings();
    assert_eq!(with.pools, without.pools);
    assert_eq!(with.server, without.server);
    assert!(with.notices.is_empty());
}

#[test]
fn the_example_with_everything_switched_on_is_valid_and_sets_every_key() {
    let settings = Setup::new().chosen_toml(&uncommented()).settings();
    let scopes = [
        Scope::Global,
        pool("SCRAPE"),
        instance("SCRAPE", 0),
        pool("REMOTE"),
    ];
    for row in table() {
        let set = scopes
            .iter()
            .any(|scope| settings.explain(scope, row.key).origin.is_set());
        assert!(set, "{} is missing from the example", row.name);
    }
}

#[test]
fn the_example_shows_the_defaults() {
    let setup = Setup::new();
    let plain = setup
        .emptied()
        .env("PW_MCP_PROXY__SCRAPE_INSTANCES=3 PW_MCP_PROXY__SCRAPE_IS_DEFAULT=true")
        .settings();
    let shown = setup.emptied().chosen_toml(&uncommented()).settings();
    let with_default = |row: &&Row| matches!(row.fallback, Fallback::Is(_));
    for row in table().filter(with_default) {
        // An empty description would show nothing.
        if row.key == Key::Description {
            continue;
        }
        let scope = match row.levels {
            Levels::Pool => pool("SCRAPE"),
            _ => Scope::Global,
        };
        let expected = told(&plain, &scope, row.key).0;
        assert_eq!(told(&shown, &scope, row.key).0, expected, "{}", row.name);
    }
}

#[test]
fn the_example_tells_the_meaning_of_every_key() {
    let squeezed = EXAMPLE
        .lines()
        .map(|l| l.trim_start_matches(['#', ' ']))
        .collect::<Vec<_>>()
        .join(" ");
    for row in table().filter(|row| row.key != Key::Instances) {
        let meaning = &row.meaning[1..];
        assert!(squeezed.contains(meaning), "{}: {}", row.name, row.meaning);
    }
}
