//! The manual of the tools is generated, and committed as it is generated.
#![allow(missing_docs)]

#[test]
fn the_committed_manual_is_what_the_catalogue_says() {
    let committed = include_str!("../../../../docs/tools.md");
    let rendered = greenroom_server::tools::reference::render();
    assert!(
        committed == rendered,
        "docs/tools.md is out of date: run make docs"
    );
}
