//! Fills the storage of origins.

use serde_json::{Value, json};

use super::scratch::Scratch;
use super::state::Origin;
use crate::native::deadline::Deadline;
use crate::native::engine::Room;
use crate::native::page::ToolError;

/// Makes databases of what a state says of them.
const MAKE_DATABASES: &str = include_str!("indexed_db.js");

pub(super) async fn fill(
    room: &Room,
    origins: Vec<Origin>,
    deadline: Deadline,
) -> Result<(), ToolError> {
    let has_any =
        |origin: &Origin| !origin.local_storage.is_empty() || !origin.databases.is_empty();
    let origins: Vec<Origin> = origins.into_iter().filter(has_any).collect();
    if origins.is_empty() {
        return Ok(());
    }
    let scratch = Scratch::open(room, deadline).await?;
    let filling = async {
        for origin in &origins {
            scratch.visit(&origin.origin, deadline).await?;
            fill_one(&scratch, origin, deadline).await?;
        }
        Ok(())
    };
    let filled = scratch.while_answering(filling).await;
    scratch.close(room, deadline).await?;
    filled
}

async fn fill_one(scratch: &Scratch, origin: &Origin, deadline: Deadline) -> Result<(), ToolError> {
    let items = origin.local_storage.iter();
    let items: Vec<_> = items.map(|item| json!([item.name, item.value])).collect();
    let code = format!(
        "() => {{ for (const [name, value] of {}) localStorage.setItem(name, value); }}",
        Value::Array(items)
    );
    scratch.tab.evaluate(&code, deadline).await?;
    if origin.databases.is_empty() {
        return Ok(());
    }
    // As text to be parsed, for as code some names would mean something else.
    let databases = Value::Array(origin.databases.clone()).to_string();
    let code = format!("() => ({MAKE_DATABASES})(JSON.parse({}))", json!(databases));
    let made = scratch.tab.evaluate(&code, deadline).await;
    made.map(drop).map_err(|error| match error {
        ToolError::Threw { message } => ToolError::Argument(format!(
            "The databases of {} cannot be restored ({message}); write the state as Playwright does.",
            origin.origin
        )),
        other => other,
    })
}
