//! The difference between two texts, line by line. Lines are given as they are, so that a
//! reference in a changed line can be acted upon.

use std::time::Duration;

use similar::TextDiff;

use crate::calls::parts::{self, Part};
use crate::error::{Result, StoreError};
use crate::ids::{Principal, RefId};
use crate::store::Store;

/// Enough around a change to see where it is.
const CONTEXT_LINES: usize = 2;

/// After this the difference is approximated: still right, but longer than it could be.
const PATIENCE: Duration = Duration::from_millis(500);

/// Larger texts are not compared.
pub(crate) const MAX_BYTES: usize = 16 << 20;

/// The hunks of a unified difference, without file names. Empty where the texts are equal.
pub(crate) fn line_diff(old: &str, new: &str) -> Result<String> {
    let size = old.len().max(new.len());
    if size > MAX_BYTES {
        let (size, limit) = (size as u64, MAX_BYTES as u64);
        return Err(StoreError::TooLarge {
            what: "a text to compare",
            size,
            limit,
        });
    }
    Ok(TextDiff::configure()
        .timeout(PATIENCE)
        .diff_lines(old, new)
        .unified_diff()
        .context_radius(CONTEXT_LINES)
        .missing_newline_hint(false)
        .to_string())
}

impl Store {
    /// The difference between the texts of any two responses of a principal.
    pub async fn diff(&self, principal: Principal, old: RefId, new: RefId) -> Result<String> {
        self.read_with(move |view| {
            let text = |ref_id| {
                parts::require_response(view, &principal, ref_id)?;
                parts::read_text(view, &principal, ref_id, Part::Content)
            };
            line_diff(
                &text(old)?.unwrap_or_default(),
                &text(new)?.unwrap_or_default(),
            )
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(line_diff("a\nb\n", "a\nb\n").unwrap(), "");
    }

    #[test]
    fn a_change_is_shown_with_its_surroundings_and_its_reference() {
        let old = "- list:\n  - a [ref=e1]\n  - b [ref=e2]\n  - c [ref=e3]\n  - d [ref=e4]\n";
        let new = old.replace("- c [ref=e3]", "- c [checked] [ref=e9]");
        let diff = line_diff(old, &new).unwrap();
        assert_eq!(
            diff,
            "@@ -2,4 +2,4 @@\n   - a [ref=e1]\n   - b [ref=e2]\n-  - c [ref=e3]\n\
             +  - c [checked] [ref=e9]\n   - d [ref=e4]\n"
        );
    }

    #[test]
    fn texts_that_are_too_large_are_refused_by_size() {
        let large = "x".repeat(MAX_BYTES + 1);
        assert!(matches!(
            line_diff(&large, "y"),
            Err(StoreError::TooLarge { .. })
        ));
    }
}
