//! Units of time and size, and the text forms of both.

use std::time::Duration;

/// The unit of a plain number given for a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Milliseconds.
    Milliseconds,
    /// Seconds.
    Seconds,
    /// Minutes.
    Minutes,
    /// Hours.
    Hours,
}

impl Unit {
    const ALL: [Self; 4] = [
        Self::Milliseconds,
        Self::Seconds,
        Self::Minutes,
        Self::Hours,
    ];

    /// The suffix that names the unit after a number.
    #[must_use]
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Milliseconds => "ms",
            Self::Seconds => "s",
            Self::Minutes => "m",
            Self::Hours => "h",
        }
    }

    /// The unit as a word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Milliseconds => "milliseconds",
            Self::Seconds => "seconds",
            Self::Minutes => "minutes",
            Self::Hours => "hours",
        }
    }

    fn milliseconds(self) -> u64 {
        match self {
            Self::Milliseconds => 1,
            Self::Seconds => 1_000,
            Self::Minutes => 60_000,
            Self::Hours => 3_600_000,
        }
    }

    /// `count` of this unit, unless that overflows.
    #[must_use]
    pub fn times(self, count: u64) -> Option<Duration> {
        count
            .checked_mul(self.milliseconds())
            .map(Duration::from_millis)
    }

    /// Reads `30`, in this unit, or a number with a suffix: `500ms`, `2h`.
    pub(crate) fn parse(self, text: &str) -> Option<Duration> {
        let (number, suffix) = split_number(text);
        let unit = match suffix {
            "" => self,
            suffix => Self::ALL.into_iter().find(|unit| unit.suffix() == suffix)?,
        };
        unit.times(number.parse().ok()?)
    }

    /// Writes a time so that [`Unit::parse`] reads it back: in this unit
    /// where that is exact, in milliseconds otherwise.
    pub(crate) fn render(self, time: Duration) -> String {
        let milliseconds = time.as_millis();
        let exact = milliseconds.is_multiple_of(u128::from(self.milliseconds()));
        let unit = if exact { self } else { Self::Milliseconds };
        let count = milliseconds / u128::from(unit.milliseconds());
        format!("{count}{}", unit.suffix())
    }
}

impl Unit {
    /// Writes a time in the greatest unit that is exact.
    pub(crate) fn shortest(time: Duration) -> String {
        let exact = |unit: &Self| {
            let whole = time
                .as_millis()
                .is_multiple_of(u128::from(unit.milliseconds()));
            whole && !time.is_zero()
        };
        let unit = Self::ALL.into_iter().rev().find(exact);
        unit.unwrap_or(Self::Seconds).render(time)
    }
}

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

/// Reads a size in bytes: `4096`, `16KiB`, `2MiB`.
pub(crate) fn parse_size(text: &str) -> Option<u64> {
    let (number, suffix) = split_number(text);
    let scale = match suffix.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kib" => KIB,
        "mib" => MIB,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(scale)
}

/// Writes a size in the greatest unit that is exact.
pub(crate) fn render_size(bytes: u64) -> String {
    match bytes {
        0 => "0".to_owned(),
        n if n.is_multiple_of(MIB) => format!("{}MiB", n / MIB),
        n if n.is_multiple_of(KIB) => format!("{}KiB", n / KIB),
        n => n.to_string(),
    }
}

fn split_number(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_numbers_take_the_unit_of_the_key_and_suffixes_their_own() {
        let ms = Duration::from_millis;
        for (unit, text, expected) in [
            (Unit::Milliseconds, "30000", Some(ms(30_000))),
            (Unit::Seconds, "30", Some(ms(30_000))),
            (Unit::Hours, "168", Some(ms(604_800_000))),
            (Unit::Seconds, "500ms", Some(ms(500))),
            (Unit::Milliseconds, "30s", Some(ms(30_000))),
            (Unit::Milliseconds, "5m", Some(ms(300_000))),
            (Unit::Seconds, "2 h", Some(ms(7_200_000))),
            (Unit::Seconds, "-1", None),
            (Unit::Seconds, "1.5s", None),
            (Unit::Seconds, "s", None),
            (Unit::Seconds, "3x", None),
            (Unit::Hours, "18446744073709551615", None),
        ] {
            assert_eq!(unit.parse(text), expected, "{text}");
        }
    }

    #[test]
    fn sizes_take_binary_suffixes() {
        for (text, expected) in [
            ("0", Some(0)),
            ("4096", Some(4096)),
            ("16KiB", Some(16_384)),
            ("2 mib", Some(2_097_152)),
            ("7B", Some(7)),
            ("1KB", None),
            ("KiB", None),
            ("18446744073709551615KiB", None),
        ] {
            assert_eq!(parse_size(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for time in [0, 1, 999, 1_000, 90_000, 3_600_000].map(Duration::from_millis) {
            for unit in Unit::ALL {
                assert_eq!(unit.parse(&unit.render(time)), Some(time));
            }
        }
        for size in [0, 1, 1024, 1025, 16_384, 3 * MIB] {
            assert_eq!(parse_size(&render_size(size)), Some(size));
        }
    }
}
