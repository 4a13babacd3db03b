//! What there is to see on a page, as data.

use serde_json::{Value, json};

use super::ground::PATIENCE;
use crate::support::{Legacy, text_of};

const DIGEST: &str = include_str!("pages/digest.js");

/// A page that is on its way to another loses what was asked of it.
const LEFT: &str = "Execution context was destroyed";

/// Everything about the current page of a pool that a step may change. It is asked for again while
/// the page is on its way, for as long as a call of the test may take.
pub(super) async fn page(client: &Legacy, pool: &str) -> Value {
    let ask = json!({"function": DIGEST, "browser_pool": pool, "response_mode": "inline"});
    let asking = async {
        loop {
            let answer = client.call("browser_evaluate", ask.clone()).await;
            let answer = text_of(&answer);
            if !answer.contains(LEFT) {
                return answer;
            }
        }
    };
    let answer = tokio::time::timeout(PATIENCE, asking).await;
    let answer = answer.unwrap_or_else(|_| panic!("{pool}: the page does not come to rest"));
    // A page that waits for an answer cannot be looked into; that it waits is all there is to see.
    if answer.contains("### Modal state") {
        return Value::Null;
    }
    let result = answer.split("### Result\n").nth(1);
    let result = result.and_then(|rest| rest.split("\n### ").next());
    let parsed = result.and_then(|json| serde_json::from_str(json).ok());
    parsed.unwrap_or_else(|| panic!("{pool}: no digest in:\n{answer}"))
}
