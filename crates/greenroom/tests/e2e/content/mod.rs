//! What an agent is told, and how it reads it again: whole, in part, or only what changed.
#![allow(clippy::unwrap_used, missing_docs)]

mod command;
mod console;
mod files;
mod finding;
mod huge;
mod reading;
mod shapes;

use crate::support::{Legacy, Setup, meta, text_of};
use serde_json::{Value, json};

/// A pool `P` of so many isolated browsers, whose callers keep them.
fn browsers(instances: usize) -> Setup {
    Setup::new()
        .set("_P_INSTANCES", &instances.to_string())
        .set("_P_IS_DEFAULT", "true")
        .set("_P_ISOLATED", "true")
}

/// The name by which an answer can be read again.
fn ref_of(result: &Value) -> String {
    let ref_id = meta(result, "ref_id");
    let ref_id = ref_id.as_str();
    ref_id
        .unwrap_or_else(|| panic!("no ref_id in {result:#}"))
        .to_owned()
}

/// Goes to a page. Says the answer's name.
async fn open(client: &Legacy, url: &str) -> String {
    let opened = client.call("browser_navigate", json!({"url": url})).await;
    assert_eq!(opened["isError"], false, "{opened:#}");
    ref_of(&opened)
}

/// Reads an answer again, with further arguments.
async fn read(client: &Legacy, ref_id: &str, more: Value) -> Value {
    let mut arguments = more;
    arguments["ref_id"] = ref_id.into();
    client.call("get_content", arguments).await
}

/// What a read that must work gives.
async fn told(client: &Legacy, ref_id: &str, more: Value) -> String {
    let result = read(client, ref_id, more).await;
    assert_eq!(result["isError"], false, "{result:#}");
    text_of(&result)
}

/// The ref of the first line that contains something.
fn ref_in(text: &str, wanted: &str) -> String {
    let line = text.lines().find(|line| line.contains(wanted));
    let line = line.unwrap_or_else(|| panic!("no {wanted} in:\n{text}"));
    let (_, rest) = line.split_once("[ref=").expect("the line has no ref");
    rest.split(']').next().unwrap().to_owned()
}
