//! Finds the known name that a misspelt one was meant to be.

/// The nearest of `names` to `text`, if one is near enough to be worth
/// suggesting: at most a third of its letters may differ.
pub(crate) fn nearest<'a>(
    text: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<(&'a str, usize)> {
    names
        .into_iter()
        .map(|name| (name, strsim::damerau_levenshtein(text, name)))
        .filter(|(name, distance)| distance * 3 <= name.len())
        .min_by_key(|(_, distance)| *distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_names_are_suggested() {
        let names = ["HEADLESS", "TIMEOUT", "ARGS"];
        assert_eq!(nearest("HEADLES", names), Some(("HEADLESS", 1)));
        assert_eq!(nearest("TIMOEUT", names), Some(("TIMEOUT", 1)));
        assert_eq!(nearest("COLOUR", names), None);
        assert_eq!(nearest("GS", names), None);
    }
}
