//! The name that was probably meant.

/// Longer input is no misspelling of anything of ours; comparing it would only cost time.
const LONGEST_GUESS: usize = 64;

/// Names that models know from older releases of the upstream, from similar tools or from
/// habit, and ours for the same thing.
const FORMER: [(&str, &str); 23] = [
    ("ref", "target"),
    ("selector", "target"),
    ("startRef", "startTarget"),
    ("endRef", "endTarget"),
    ("sourceRef", "startTarget"),
    ("targetRef", "endTarget"),
    ("session", "session_id"),
    ("pool", "browser_pool"),
    ("pool", "pool_name"),
    ("browser_pool", "pool_name"),
    ("instance", "browser_instance"),
    ("expression", "function"),
    ("script", "function"),
    ("code", "function"),
    ("seconds", "time"),
    ("timeout", "time"),
    ("query", "text"),
    ("pattern", "regex"),
    ("href", "url"),
    ("tab", "index"),
    ("arguments", "args"),
    ("params", "args"),
    ("name", "tool"),
];

/// The argument that a former or foreign name stands for, if this tool has it.
pub(super) fn renamed<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let known: Vec<&str> = known.collect();
    FORMER
        .iter()
        .filter(|(former, _)| *former == name)
        .find_map(|(_, now)| known.iter().copied().find(|candidate| candidate == now))
}

/// The known name that is close enough to be a misspelling, in another case or otherwise.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST_GUESS {
        return None;
    }
    let wanted = plain(name);
    known
        .map(|candidate| {
            (
                strsim::damerau_levenshtein(&wanted, &plain(candidate)),
                candidate,
            )
        })
        .filter(|(distance, candidate)| *distance <= tolerance(candidate))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Case and word separators are the most common differences and count for nothing.
fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

/// Short names tolerate one slip, long ones a third of their length.
fn tolerance(name: &str) -> usize {
    (name.len() / 3).clamp(1, 4)
}

#[cfg(test)]
mod tests {
    use super::{nearest, renamed};

    #[test]
    fn a_misspelt_name_finds_its_neighbour() {
        let known = ["fullPage", "filename", "target", "type"];
        for (given, expected) in [
            ("full_page", Some("fullPage")),
            ("FULLPAGE", Some("fullPage")),
            ("file_name", Some("filename")),
            ("fileName", Some("filename")),
            ("tagret", Some("target")),
            ("typ", Some("type")),
            ("quality", None),
            ("", None),
        ] {
            assert_eq!(nearest(given, known.into_iter()), expected, "{given}");
        }
    }

    #[test]
    fn a_huge_name_is_not_compared() {
        assert_eq!(
            nearest(&"target".repeat(1000), ["target"].into_iter()),
            None
        );
    }

    #[test]
    fn a_former_name_stands_only_for_what_the_tool_has() {
        assert_eq!(
            renamed("ref", ["element", "target"].into_iter()),
            Some("target")
        );
        assert_eq!(renamed("ref", ["url"].into_iter()), None);
        assert_eq!(
            renamed("pool", ["pool_name"].into_iter()),
            Some("pool_name")
        );
        assert_eq!(
            renamed("pool", ["browser_pool"].into_iter()),
            Some("browser_pool")
        );
    }
}
