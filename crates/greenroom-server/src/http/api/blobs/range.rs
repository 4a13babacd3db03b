//! Which bytes a request wants.
//!
//! One range is served as such. Several at once, other units and what cannot be read are ignored,
//! as HTTP allows: the whole is then a right answer to all of them.

/// What a `Range` header asks for of something of a given size.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All of it.
    Whole,
    /// From the first to the last byte, both included.
    Part { first: u64, last: u64 },
    /// Something that is not there.
    Nothing,
}

/// Reads a `Range` header.
pub(super) fn wanted(header: Option<&str>, size: u64) -> Wanted {
    let parsed = header.and_then(|text| text.trim().strip_prefix("bytes="));
    match parsed.and_then(bounds) {
        None => Wanted::Whole,
        Some((first, last)) => clip(first, last, size),
    }
}

/// The two numbers of a range, each of which may be missing, but not both.
fn bounds(text: &str) -> Option<(Option<u64>, Option<u64>)> {
    let (first, last) = text.trim().split_once('-')?;
    let bounds = (number(first)?, number(last)?);
    let in_order = match bounds {
        (Some(first), Some(last)) => first <= last,
        (first, last) => first.is_some() || last.is_some(),
    };
    in_order.then_some(bounds)
}

/// `Some(None)` for no number at all, `None` for something else. A number that is too large for us
/// is larger than anything that is stored.
fn number(text: &str) -> Option<Option<u64>> {
    if text.is_empty() {
        return Some(None);
    }
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| Some(text.parse().unwrap_or(u64::MAX)))
}

fn clip(first: Option<u64>, last: Option<u64>, size: u64) -> Wanted {
    let Some(end) = size.checked_sub(1) else {
        return Wanted::Nothing;
    };
    match (first, last) {
        (Some(first), _) if first > end => Wanted::Nothing,
        (Some(first), last) => Wanted::Part {
            first,
            last: last.unwrap_or(end).min(end),
        },
        (None, Some(0)) => Wanted::Nothing,
        // The last so many bytes, or all if there are fewer.
        (None, length) => Wanted::Part {
            first: size.saturating_sub(length.unwrap_or(size)),
            last: end,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_range_is_cut_to_what_there_is() {
        for (header, first, last) in [
            ("bytes=0-0", 0, 0),
            ("bytes=2-5", 2, 5),
            ("bytes=2-", 2, 9),
            ("bytes=9-99", 9, 9),
            ("bytes=-3", 7, 9),
            ("bytes=-99", 0, 9),
            (" bytes= 0-99999999999999999999999 ", 0, 9),
        ] {
            let part = Wanted::Part { first, last };
            assert_eq!(wanted(Some(header), 10), part, "{header}");
        }
    }

    #[test]
    fn what_is_not_one_range_gets_the_whole() {
        for header in [
            "bytes=0-1,3-4",
            "bytes=5-2",
            "bytes=-",
            "bytes=",
            "bytes=a-b",
            "bytes=+1-2",
            "bytes=1",
            "lines=0-1",
            "",
        ] {
            assert_eq!(wanted(Some(header), 10), Wanted::Whole, "{header}");
        }
        assert_eq!(wanted(None, 10), Wanted::Whole);
    }

    #[test]
    fn a_range_past_the_end_or_of_nothing_is_not_there() {
        for (header, size) in [
            ("bytes=10-", 10),
            ("bytes=99999999999999999999999-", 10),
            ("bytes=-0", 10),
            ("bytes=0-", 0),
            ("bytes=-1", 0),
        ] {
            assert_eq!(wanted(Some(header), size), Wanted::Nothing, "{header}");
        }
    }
}
