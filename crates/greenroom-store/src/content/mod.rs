//! Reading the text of a response: in pages, by search, or as a difference. None of this knows
//! or moves a cursor.

mod diff;
mod page;
mod search;

use serde::{Deserialize, Serialize};

pub(crate) use diff::line_diff;
pub use page::{Page, PageRequest, PageStart};
pub use search::{Block, Line, Matches, SearchRequest};
pub(crate) use search::{for_each_line, shortened};

/// What a reader wants of a text that has changed since it was last read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Nothing if it is unchanged, else the whole new text.
    #[default]
    Changed,
    /// Nothing if it is unchanged, else the lines that differ.
    Diff,
    /// The whole text, changed or not.
    Full,
}
