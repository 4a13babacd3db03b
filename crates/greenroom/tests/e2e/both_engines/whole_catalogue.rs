//! Whether the scripts together use every tool.

use std::collections::BTreeSet;

use super::SCRIPTS;
use super::ground::listed_tools;
use super::step::Scene;

/// Tools that no script can hold the engines against each other with.
const EXCEPTIONS: &[&str] = &[
    // It runs code of the upstream's own library, which the native engine does without.
    "browser_run_code_unsafe",
    // These are answered by Greenroom itself, whichever engine a pool has.
    "browser_execute_bulk",
    "browser_pool_status",
    "close_session",
    "create_new_session",
    "get_console_content",
    "get_content",
    "list_sessions",
];

#[tokio::test(flavor = "multi_thread")]
async fn the_scripts_for_both_engines_use_every_tool_that_is_served() {
    let scene = Scene {
        site: String::new(),
        blob: String::new(),
        state: String::new(),
    };
    let steps = SCRIPTS.iter().flat_map(|script| script(&scene));
    let used: BTreeSet<String> = steps.map(|step| step.tool.to_owned()).collect();
    let listed: BTreeSet<String> = listed_tools().await.into_iter().collect();
    let is_exception = |tool: &&String| EXCEPTIONS.contains(&tool.as_str());
    let forgotten: Vec<_> = listed
        .difference(&used)
        .filter(|it| !is_exception(it))
        .collect();
    assert!(forgotten.is_empty(), "no script uses {forgotten:?}");
    let unknown: Vec<_> = used.difference(&listed).collect();
    assert!(unknown.is_empty(), "nobody serves {unknown:?}");
}
