//! Whose answer was it? Reads the id of a message from the edges of a line too long to keep.

use super::framing::LongLine;

/// What an over-long line was.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Oversize {
    /// A message; its id, where the edges tell.
    Message(Option<u64>),
    /// No JSON object at all.
    Noise,
}

/// Judges an over-long line by its edges.
pub(super) fn judge(line: &LongLine) -> Oversize {
    let head = String::from_utf8_lossy(&line.head);
    let tail = String::from_utf8_lossy(&line.tail);
    let (head, tail) = (
        head.trim_start_matches('\u{feff}').trim_start(),
        tail.trim_end(),
    );
    if !head.starts_with('{') || !tail.ends_with('}') {
        return Oversize::Noise;
    }
    Oversize::Message(id_in_head(head).or_else(|| id_in_tail(tail)))
}

/// An id before the long member: `{"jsonrpc":"2.0","id":7,"result":…`.
fn id_in_head(head: &str) -> Option<u64> {
    let mut rest = head.strip_prefix('{')?;
    loop {
        let (name, after) = member_name(rest)?;
        let value = after.trim_start();
        let end = value.find([',', '}'])?;
        match name {
            "id" => return value[..end].trim().parse().ok(),
            "jsonrpc" => rest = &value[end + 1..],
            _ => return None,
        }
    }
}

fn member_name(text: &str) -> Option<(&str, &str)> {
    let (name, after) = text.trim_start().strip_prefix('"')?.split_once('"')?;
    Some((name, after.trim_start().strip_prefix(':')?))
}

/// An id after the long member: `…},"jsonrpc":"2.0","id":7}`. Quotes inside a string are escaped
/// and an inner object is followed by another brace, so page text cannot pass for one.
fn id_in_tail(tail: &str) -> Option<u64> {
    let mut rest = tail.strip_suffix('}')?.trim_end();
    if let Some(before) = rest.strip_suffix("\"2.0\"") {
        let before = before.trim_end().strip_suffix(':')?.trim_end();
        rest = before
            .strip_suffix("\"jsonrpc\"")?
            .trim_end()
            .strip_suffix(',')?
            .trim_end();
    }
    let digits = rest.len() - rest.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (before, id) = rest.split_at(rest.len() - digits);
    let before = before
        .trim_end()
        .strip_suffix(':')?
        .trim_end()
        .strip_suffix("\"id\"")?;
    before
        .trim_end()
        .ends_with(['{', ','])
        .then(|| id.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(head: &str, tail: &str) -> Oversize {
        judge(&LongLine {
            length: 1_000_000,
            head: head.as_bytes().to_vec(),
            tail: tail.as_bytes().to_vec(),
        })
    }

    #[test]
    fn the_id_is_read_from_either_edge() {
        let id = |id| Oversize::Message(Some(id));
        for (head, tail, expected) in [
            (r#"{"jsonrpc":"2.0","id":7,"result":{"#, "xx\"}]}}", id(7)),
            (r#"{"id":7,"jsonrpc":"2.0","result":{"#, "xx\"}]}}", id(7)),
            (r#" { "jsonrpc" : "2.0" , "id" : 7 , "result""#, "}}", id(7)),
            (
                r#"{"result":{"content":["#,
                r#"xx"}]},"jsonrpc":"2.0","id":12}"#,
                id(12),
            ),
            (
                r#"{"result":{"content":["#,
                r#"xx"}]},"id":12,"jsonrpc":"2.0"}"#,
                id(12),
            ),
            (
                r#"{"result":{"content":["#,
                r#"xx"}] } , "id" : 12 } "#,
                id(12),
            ),
        ] {
            assert_eq!(judged(head, tail), expected, "{head} … {tail}");
        }
    }

    #[test]
    fn an_id_inside_the_payload_is_never_taken_for_the_message_s_own() {
        for (head, tail) in [
            (r#"{"result":{"id":3,"content""#, r#"xx"}]}}"#),
            (r#"{"result":{"content":["#, r#"x","id":3}}"#),
            (r#"{"result":{"content":["#, r#"x\",\"id\":3}"#),
            (r#"{"result":{"content":["#, r#"x"}]},"id":"3"}"#),
            (r#"{"result":{"content":["#, r#"x"}]},"id":}"#),
            (r#"{"result":{"content":["#, r#"x"}]},"xid":3}"#),
        ] {
            assert_eq!(
                judged(head, tail),
                Oversize::Message(None),
                "{head} … {tail}"
            );
        }
    }

    #[test]
    fn a_long_line_that_is_no_object_is_noise() {
        assert_eq!(judged("npm warn", "deprecated"), Oversize::Noise);
        assert_eq!(judged("{\"result\":", "cut off"), Oversize::Noise);
        assert_eq!(judged("", ""), Oversize::Noise);
    }
}
