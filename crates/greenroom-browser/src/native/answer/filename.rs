//! The names of files that come with answers.

use std::time::SystemTime;

/// The last part of a name that an agent gave: files go to no directory of ours.
pub(crate) fn base_name(name: &str) -> &str {
    let is_name = |part: &&str| !matches!(*part, "" | "." | "..");
    name.rsplit(['/', '\\']).find(is_name).unwrap_or("file")
}

/// The name that was given, or one that tells what the file is and when it was made.
pub(crate) fn name_or(given: Option<&str>, prefix: &str, ending: &str) -> String {
    given.map_or_else(
        || stamped(prefix, ending, SystemTime::now()),
        |name| base_name(name).to_owned(),
    )
}

fn stamped(prefix: &str, ending: &str, now: SystemTime) -> String {
    let now = humantime::format_rfc3339_millis(now).to_string();
    format!("{prefix}-{}.{ending}", now.replace([':', '.'], "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_part_of_a_name_is_kept() {
        for (given, kept) in [
            ("a.png", "a.png"),
            ("../../etc/a.png", "a.png"),
            ("C:\\out\\a.png", "a.png"),
            ("out/", "out"),
            ("/..", "file"),
            ("", "file"),
        ] {
            assert_eq!(base_name(given), kept, "{given}");
        }
    }

    #[test]
    fn a_file_without_a_name_is_named_after_its_kind_and_time() {
        let then = SystemTime::UNIX_EPOCH;
        assert_eq!(
            stamped("page", "png", then),
            "page-1970-01-01T00-00-00-000Z.png"
        );
        assert_eq!(name_or(Some("x/y.pdf"), "page", "pdf"), "y.pdf");
    }
}
