//! What a page keeps in its local or session storage.
//!
//! The browser itself is asked and not the page: whatever the page has made of these objects, what
//! is stored is told as it is.

use super::done::Done;
use crate::native::deadline::Deadline;
use crate::native::page::{Page, ToolError};
use crate::native::protocol::dom_storage::{
    Clear, GetDomStorageItems, RemoveDomStorageItem, SetDomStorageItem, StorageId,
};
use crate::native::protocol::storage::GetStorageKeyForFrame;
use crate::native::tools::quote;

/// One of the two storages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StorageKind {
    /// Kept for the site.
    Local,
    /// Kept for the tab.
    Session,
}

impl StorageKind {
    /// Its name in a page, and in Playwright.
    pub fn name(self) -> &'static str {
        match self {
            Self::Local => "localStorage",
            Self::Session => "sessionStorage",
        }
    }
}

/// Lists all that is kept.
pub async fn storage_items(
    page: &Page,
    kind: StorageKind,
    deadline: Deadline,
) -> Result<Done, ToolError> {
    let items = items(page, kind, deadline).await?;
    let lines: Vec<_> = items.iter().map(|(key, value)| line(key, value)).collect();
    let name = kind.name();
    let told = match lines.is_empty() {
        true => format!("No {name} items found"),
        false => lines.join("\n"),
    };
    Ok(told_by(told, format!("await page.{name}.items();")))
}

/// Tells one value.
pub async fn storage_get(
    page: &Page,
    kind: StorageKind,
    key: &str,
    deadline: Deadline,
) -> Result<Done, ToolError> {
    let items = items(page, kind, deadline).await?;
    let found = items.iter().find(|(name, _)| name == key);
    let name = kind.name();
    let told = found.map_or_else(
        || format!("{name} key '{key}' not found"),
        |(key, value)| line(key, value),
    );
    let code = format!("await page.{name}.getItem({});", quote(key));
    Ok(told_by(told, code))
}

/// Sets one value.
pub async fn storage_set(
    page: &Page,
    kind: StorageKind,
    (key, value): (&str, &str),
    deadline: Deadline,
) -> Result<Done, ToolError> {
    let set = SetDomStorageItem {
        storage_id: storage_of(page, kind, deadline).await?,
        key: key.to_owned(),
        value: value.to_owned(),
    };
    let set = page.session().call_within(deadline.left(), set).await;
    set.map_err(|error| match error.refused_with("quota") {
        true => ToolError::Argument(format!(
            "The {} of this site is full. Delete something in it first, or set a shorter value.",
            kind.name()
        )),
        false => error.into(),
    })?;
    let (key, value) = (quote(key), quote(value));
    let name = kind.name();
    Ok(Done::ran(format!(
        "await page.{name}.setItem({key}, {value});"
    )))
}

/// Removes one value.
pub async fn storage_remove(
    page: &Page,
    kind: StorageKind,
    key: &str,
    deadline: Deadline,
) -> Result<Done, ToolError> {
    let remove = RemoveDomStorageItem {
        storage_id: storage_of(page, kind, deadline).await?,
        key: key.to_owned(),
    };
    page.session().call_within(deadline.left(), remove).await?;
    let (name, key) = (kind.name(), quote(key));
    Ok(Done::ran(format!("await page.{name}.removeItem({key});")))
}

/// Removes all values.
pub async fn storage_clear(
    page: &Page,
    kind: StorageKind,
    deadline: Deadline,
) -> Result<Done, ToolError> {
    let storage_id = storage_of(page, kind, deadline).await?;
    let clear = Clear { storage_id };
    page.session().call_within(deadline.left(), clear).await?;
    Ok(Done::ran(format!("await page.{}.clear();", kind.name())))
}

async fn items(
    page: &Page,
    kind: StorageKind,
    deadline: Deadline,
) -> Result<Vec<(String, String)>, ToolError> {
    let storage_id = storage_of(page, kind, deadline).await?;
    let get = GetDomStorageItems { storage_id };
    let items = page.session().call_within(deadline.left(), get).await?;
    Ok(items.entries)
}

/// The storage of the document that a page shows.
async fn storage_of(
    page: &Page,
    kind: StorageKind,
    deadline: Deadline,
) -> Result<StorageId, ToolError> {
    let frame_id = page.main_frame().id().clone();
    let key = GetStorageKeyForFrame { frame_id };
    let key = page.session().call_within(deadline.left(), key).await;
    let key = key.map_err(|error| match error.refused_with("opaque origin") {
        true => ToolError::Argument(format!(
            "{} has no {}. Go to a page of a web site first.",
            page.url(),
            kind.name()
        )),
        false => error.into(),
    })?;
    Ok(StorageId {
        storage_key: key.storage_key,
        is_local_storage: kind == StorageKind::Local,
    })
}

fn line(key: &str, value: &str) -> String {
    format!("{key}={value}")
}

fn told_by(result: String, code: String) -> Done {
    Done {
        result: Some(result),
        ..Done::ran(code)
    }
}
