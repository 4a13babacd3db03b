//! Any set of valid settings means the same as variables, as `.env`, as TOML
//! and as flags.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use greenroom_config::{Key, Kind, Level, Scope, Settings, table};
use proptest::prelude::*;

use crate::support::{Setup, instance, pool};

/// Values of a key that clash with no value of another key.
fn candidates(key: Key) -> Vec<&'static str> {
    match key {
        Key::Instances | Key::IsDefault => vec![],
        Key::Browser => vec!["chromium", "chrome", "msedge"],
        Key::Engine => vec!["auto", "native"],
        Key::Process => vec!["auto", "dedicated"],
        Key::WslWindows | Key::Isolated => vec!["false"],
        Key::MinIdle => vec!["0", "1", "2"],
        Key::MaxInstances => vec!["3", "40"],
        Key::MinHold => vec!["0", "3", "400ms"],
        Key::LeaseTimeout => vec!["4000", "1m"],
        Key::SessionTimeout => vec!["60", "2m", "1500ms"],
        Key::SessionTtl => vec!["3600", "3h"],
        Key::HealthCheckInterval => vec!["10", "1m"],
        Key::HealthCheckTimeout => vec!["1", "250ms"],
        Key::ExecutablePath => vec!["/usr/bin/chromium", "./bin/x"],
        Key::CdpEndpoint => vec![],
        Key::ServerHost => vec!["localhost", "127.0.0.1", "::1"],
        Key::UserDataDir => vec![],
        _ => by_kind(key.row().kind),
    }
}

fn by_kind(kind: Kind) -> Vec<&'static str> {
    match kind {
        Kind::Bool => vec!["true", "false"],
        Kind::AutoBool => vec!["auto", "true", "false"],
        Kind::Number { .. } => vec!["16", "77"],
        Kind::Limit { .. } => vec!["off", "64"],
        Kind::Time { .. } => vec!["7", "1h"],
        Kind::Age { .. } => vec!["off", "90", "3m"],
        Kind::Size { .. } => vec!["0", "4096", "2KiB"],
        Kind::Choice { words, .. } => words.to_vec(),
        Kind::Prose => vec!["", "plain", " 'quoted' # and \"spaced\" "],
        Kind::Line | Kind::Alias => vec!["plain", "a b", "käse"],
        Kind::Path => vec!["/abs/x", "rel/../y", "~/z"],
        Kind::Command => vec!["node cli.js", "./run 'a b'"],
        Kind::Words => vec!["--a", "--a 'b c' --d"],
        Kind::Viewport => vec!["800x600"],
        Kind::Proxy => vec!["http://u:p@h:1", "h:3128"],
        Kind::SearchUrl => vec!["https://s/?q={query}"],
        Kind::Warmup => vec!["https://x/", "w.json"],
        Kind::Tokens => vec!["ann:one", "ann:one,bob:two"],
        Kind::Hosts => vec!["a", "a:1,[::1]:2"],
        Kind::Origins => vec!["http://a", "http://a:1,https://b"],
        Kind::Host | Kind::Executable | Kind::Websocket => vec![],
    }
}

type Assignments = BTreeMap<(Scope, Key), &'static str>;

/// Two pools of three instances, and any valid settings beside them.
fn assignments() -> impl Strategy<Value = Assignments> {
    let scopes = [
        Scope::Global,
        pool("A"),
        pool("B_C"),
        instance("A", 0),
        instance("B_C", 2),
    ];
    let places: Vec<(Scope, Key, Vec<&'static str>)> = scopes
        .iter()
        .flat_map(|scope| table().map(move |row| (scope.clone(), row)))
        .filter(|(scope, row)| row.levels.allow(scope.level()))
        .map(|(scope, row)| (scope, row.key, candidates(row.key)))
        .filter(|(.., values)| !values.is_empty())
        .collect();
    let place = prop::sample::select(places);
    let one = place
        .prop_flat_map(|(scope, key, values)| (Just((scope, key)), prop::sample::select(values)));
    prop::collection::vec(one, 0..40).prop_map(|list| {
        let mut all: Assignments = list.into_iter().collect();
        for name in ["A", "B_C"] {
            all.insert((pool(name), Key::Instances), "3");
        }
        all.insert((pool("A"), Key::IsDefault), "true");
        all
    })
}

fn variable((scope, key): &(Scope, Key)) -> String {
    match scope {
        Scope::Global => format!("PW_MCP_PROXY_{key}"),
        Scope::Pool(pool) => format!("PW_MCP_PROXY__{pool}_{key}"),
        Scope::Instance(pool, id) => format!("PW_MCP_PROXY__{pool}__{id}_{key}"),
    }
}

fn as_environment(setup: Setup, all: &Assignments) -> Settings {
    let add = |setup: Setup, (place, text): (_, &&str)| setup.var(&variable(place), text);
    all.iter().fold(setup, add).settings()
}

fn as_flags(setup: Setup, all: &Assignments) -> Settings {
    let add = |setup: Setup, ((scope, key), text): (&(Scope, Key), &&str)| {
        let path = match scope {
            Scope::Global => format!("{key}"),
            Scope::Pool(pool) => format!("{pool}.{key}"),
            Scope::Instance(pool, id) => format!("{pool}.{id}.{key}"),
        };
        setup.set(&format!("{path}={text}"))
    };
    all.iter().fold(setup, add).settings()
}

/// As `.env`; the caller leaves out the keys that such a file may not set.
fn as_dotenv(setup: Setup, all: &Assignments) -> Settings {
    let mut text = String::new();
    for (place, value) in all {
        let quoted = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "{}=\"{quoted}\"", variable(place));
    }
    setup.dotenv(&text).settings()
}

fn as_toml(setup: Setup, all: &Assignments) -> Settings {
    let mut text = String::new();
    let mut header = None;
    // Scopes are ordered: the top, then each pool, then instances.
    for ((scope, key), value) in all {
        if header.as_ref() != Some(scope) {
            match scope {
                Scope::Global => {}
                Scope::Pool(pool) => writeln!(text, "[pools.{pool}]").unwrap(),
                Scope::Instance(pool, id) => {
                    writeln!(text, "[pools.{pool}.instances.{id}]").unwrap();
                }
            }
            header = Some(scope.clone());
        }
        match (scope.level(), *key) {
            (Level::Pool, Key::Instances) => writeln!(text, "instances.count = {value}").unwrap(),
            _ => writeln!(
                text,
                "{} = {}",
                key.row().toml_name(),
                toml_value(*key, value)
            )
            .unwrap(),
        }
    }
    setup.chosen_toml(&text).settings()
}

fn toml_value(key: Key, text: &str) -> String {
    let plain = text.chars().all(|c| c.is_ascii_digit()) && !text.is_empty();
    let array = |words: Vec<String>| {
        let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
        format!("[{}]", words.join(", "))
    };
    match key.row().kind {
        Kind::Number { .. } | Kind::Bool => text.to_owned(),
        Kind::AutoBool if text != "auto" => text.to_owned(),
        Kind::Limit { .. } | Kind::Time { .. } | Kind::Age { .. } | Kind::Size { .. } if plain => {
            text.to_owned()
        }
        Kind::Hosts | Kind::Origins | Kind::Tokens => {
            array(text.split(',').map(str::to_owned).collect())
        }
        Kind::Words => array(shell_words::split(text).unwrap()),
        _ => format!("{text:?}"),
    }
}

proptest! {
    #[test]
    fn every_source_gives_the_same_settings(all in assignments()) {
        let setup = Setup::new();
        let environment = as_environment(setup.emptied(), &all);
        let toml = as_toml(setup.emptied(), &all);
        let flags = as_flags(setup.emptied(), &all);
        prop_assert_eq!(&environment.server, &toml.server);
        prop_assert_eq!(&environment.pools, &toml.pools);
        prop_assert_eq!(&environment.server, &flags.server);
        prop_assert_eq!(&environment.pools, &flags.pools);
    }

    #[test]
    fn a_dotenv_file_gives_the_same_settings(all in assignments()) {
        let harmless: Assignments = all
            .into_iter()
            .filter(|((_, key), _)| !key.row().chooses_what_runs())
            .collect();
        let setup = Setup::new();
        let environment = as_environment(setup.emptied(), &harmless);
        let dotenv = as_dotenv(setup.emptied(), &harmless);
        prop_assert_eq!(&environment.server, &dotenv.server);
        prop_assert_eq!(&environment.pools, &dotenv.pools);
    }
}

#[test]
fn every_key_takes_part() {
    let left_out = [
        Key::Instances,
        Key::IsDefault,
        Key::CdpEndpoint,
        Key::UserDataDir,
    ];
    for row in table().filter(|row| !left_out.contains(&row.key)) {
        assert!(!candidates(row.key).is_empty(), "{}", row.name);
    }
}
