//! A look at the source: every read of rows that belong to someone says to whom.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

const OWNED: [&str; 5] = ["calls", "responses", "sessions", "cursors", "blob_refs"];

/// What looks after all rows, whoever's they are, and tells nobody of them.
const CARETAKERS: [&str; 5] = [
    "keeper/",
    "db/",
    "spool/sweep.rs",
    "blobs/sweep.rs",
    "writer/",
];

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.extension() {
            None => sources(&path, found),
            Some(ext) if ext == "rs" => found.push(path),
            Some(_) => {}
        }
    }
}

/// The string literals of a source, continued lines joined.
fn literals(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]").next().unwrap();
    let joined = code.replace("\\\"", "'").replace("\\\n", " ");
    joined
        .split('"')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_select_of_owned_rows_names_the_principal() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut looked_at = 0;
    for file in files {
        let name = file
            .strip_prefix(&root)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        if CARETAKERS
            .iter()
            .any(|caretaker| name.starts_with(caretaker))
        {
            continue;
        }
        for sql in literals(&fs::read_to_string(&file).unwrap()) {
            let reads = |table: &&str| {
                sql.contains(&format!("FROM {table}")) || sql.contains(&format!("JOIN {table}"))
            };
            if sql.contains("SELECT") && OWNED.iter().any(reads) {
                looked_at += 1;
                assert!(sql.contains("principal = ?"), "{name}: {sql}");
            }
        }
    }
    assert!(
        looked_at >= 12,
        "only {looked_at} were found: is this test still looking?"
    );
}
