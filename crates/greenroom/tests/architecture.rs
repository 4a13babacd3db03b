//! Who may know whom, read from the manifests and the `use` lines.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::{Path, PathBuf};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// The crates of ours that a crate is built on; tests may use more.
fn built_on(name: &str) -> Vec<String> {
    let manifest = std::fs::read_to_string(crates().join(name).join("Cargo.toml")).unwrap();
    let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let dependencies = dependencies.split("\n[").next().unwrap_or_default();
    let ours = dependencies
        .lines()
        .filter(|line| line.starts_with("greenroom-"));
    ours.map(|line| line.split(['.', ' ', '=']).next().unwrap().to_owned())
        .collect()
}

fn source_files(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            source_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn the_ground_floor_depends_on_nothing_of_ours() {
    for name in [
        "greenroom-config",
        "greenroom-pool",
        "greenroom-browser",
        "greenroom-store",
    ] {
        assert_eq!(built_on(name), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn no_product_crate_is_built_on_the_test_kit() {
    for entry in std::fs::read_dir(crates()).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        assert!(
            !built_on(&name).contains(&"greenroom-testkit".to_owned()),
            "{name}"
        );
    }
}

#[test]
fn configuration_has_no_async_runtime_and_the_state_under_the_pools_lock_no_async() {
    let manifest = std::fs::read_to_string(crates().join("greenroom-config/Cargo.toml")).unwrap();
    assert!(!manifest.contains("tokio"));
    let mut files = Vec::new();
    source_files(&crates().join("greenroom-pool/src/inner"), &mut files);
    assert!(!files.is_empty());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for banned in ["async fn", "async move", ".await", "Instant::now"] {
            assert!(!text.contains(banned), "{banned} in {}", file.display());
        }
    }
}

/// The files of the server crate that mention a library, by their first folder.
fn rooms_that_use(library: &str) -> Vec<String> {
    let src = crates().join("greenroom-server/src");
    let mut files = Vec::new();
    source_files(&src, &mut files);
    let uses = |file: &&PathBuf| {
        let text = std::fs::read_to_string(file).unwrap();
        let mut lines = text
            .lines()
            .map(str::trim_start)
            .filter(|line| !line.starts_with("//"));
        lines.any(|line| line.contains(&format!("{library}::")))
    };
    let room = |file: &PathBuf| {
        let inside = file.strip_prefix(&src).unwrap();
        inside.iter().next().unwrap().to_string_lossy().into_owned()
    };
    let mut rooms: Vec<String> = files.iter().filter(uses).map(room).collect();
    rooms.sort();
    rooms.dedup();
    rooms
}

#[test]
fn third_party_types_stop_at_the_border() {
    assert_eq!(rooms_that_use("rmcp"), ["mcp"]);
    assert_eq!(rooms_that_use("axum"), ["http"]);
    let manifest = std::fs::read_to_string(crates().join("greenroom/Cargo.toml")).unwrap();
    assert!(!manifest.contains("axum") && !manifest.contains("rmcp"));
}

#[test]
fn edges_know_the_facade_and_nothing_behind_it() {
    for inside in [
        "crate::dispatch",
        "crate::fleet",
        "crate::session",
        "crate::tools",
    ] {
        let name = inside.trim_start_matches("crate::");
        let rooms = rooms_that_use(&format!("crate::{name}"));
        for edge in ["mcp", "http", "local"] {
            assert!(!rooms.contains(&edge.to_owned()), "{edge} uses {inside}");
        }
    }
}
