//! The media features that a page is made to believe.
//!
//! The browser takes all features at once and forgets those that are not named, while a tool
//! changes some and leaves the others: so a page remembers what was set.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::done::Done;
use crate::native::deadline::Deadline;
use crate::native::page::{Page, ToolError};
use crate::native::protocol::emulation::{MediaFeature, SetEmulatedMedia};
use crate::native::tools::on_one_line;

/// The arguments of the tool, and what CSS calls them.
const FEATURES: &[(&str, &str)] = &[
    ("colorScheme", "prefers-color-scheme"),
    ("reducedMotion", "prefers-reduced-motion"),
    ("forcedColors", "forced-colors"),
    ("contrast", "prefers-contrast"),
];

/// What was set on a page, by the names of the tool's arguments.
#[derive(Debug, Default)]
pub struct Media(Mutex<BTreeMap<String, String>>);

/// Sets features (`None` takes one back) and leaves the others as they are.
pub async fn emulate_media(
    page: &Page,
    changes: &[(&str, Option<&str>)],
    deadline: Deadline,
) -> Result<Done, ToolError> {
    let mut wanted = page.media().get();
    for (name, value) in changes {
        match value {
            Some(value) => wanted.insert((*name).to_owned(), (*value).to_owned()),
            None => wanted.remove(*name),
        };
    }
    let value = |name: &str| wanted.get(name).cloned().unwrap_or_default();
    let features = FEATURES.iter().map(|(name, feature)| MediaFeature {
        name: (*feature).to_owned(),
        value: value(name),
    });
    let media = SetEmulatedMedia {
        media: Some(value("media")),
        features: Some(features.collect()),
    };
    page.emulate(media, deadline).await?;
    page.media().set(wanted);
    let options = changes
        .iter()
        .map(|(name, value)| ((*name).to_owned(), Value::from(*value)));
    let options = on_one_line(&options.collect());
    Ok(Done::ran(format!("await page.emulateMedia({options});")))
}

impl Media {
    fn get(&self) -> BTreeMap<String, String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn set(&self, wanted: BTreeMap<String, String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = wanted;
    }
}
