//! What is rendered stays as it was last looked at.

use super::super::catalog;
use super::super::reference::render;
use super::super::schema::{Offer, list};

#[test]
fn the_list_is_the_one_that_was_looked_at() {
    let mut rendered = serde_json::to_string_pretty(&list(Offer::WithGuarded)).unwrap();
    rendered.push('\n');
    same(
        &rendered,
        include_str!("fixtures/tool-list.json"),
        "tool-list.json",
    );
}

#[test]
fn the_manual_has_a_section_with_every_argument_of_every_tool() {
    let manual = render();
    let sections: Vec<&str> = manual.split("\n## ").skip(1).collect();
    assert_eq!(sections.len(), catalog::rows().count());
    for (section, row) in sections.iter().zip(catalog::rows()) {
        assert!(
            section.starts_with(&format!("`{}`\n", row.name)),
            "{section}"
        );
        assert!(section.contains(row.description), "{section}");
        assert!(section.contains(row.example), "{section}");
        for param in row.params {
            assert!(
                section.contains(&format!("| `{}` |", param.name)),
                "{section}"
            );
        }
    }
}

#[test]
fn every_table_of_the_manual_has_cells_for_all_its_columns() {
    let manual = render();
    let mut columns = 0;
    for line in manual.lines() {
        let cells = line.replace("\\|", "").matches('|').count();
        if !line.starts_with('|') {
            columns = 0;
            continue;
        }
        if columns == 0 {
            columns = cells;
        }
        assert_eq!(cells, columns, "{line}");
    }
}

#[test]
fn a_section_of_the_manual_reads_like_this() {
    let manual = render();
    let (_, after) = manual.split_once("## `browser_fill_form`").unwrap();
    let (section, _) = after.split_once("\n## ").unwrap();
    same(
        section.trim(),
        include_str!("fixtures/fill-form.md").trim(),
        "fill-form.md",
    );
}

/// Compares with a fixture. The way to accept a change is to copy what was rendered.
#[track_caller]
fn same(rendered: &str, fixture: &str, name: &str) {
    if rendered != fixture {
        let actual = std::env::temp_dir().join(name);
        std::fs::write(&actual, rendered).unwrap();
        panic!(
            "{name} is rendered differently; compare {} and copy it over the fixture if it is right",
            actual.display()
        );
    }
}
