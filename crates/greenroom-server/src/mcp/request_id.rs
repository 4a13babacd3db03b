//! The id of a request that will not be parsed: too long, or not JSON after all.
//!
//! A caller whose request is refused must hear so under its id, or it waits for its own timeout.
//! Some clients write the id first and some last, so the scanner follows the structure of the whole
//! message, piece by piece and in constant memory, and remembers the value of the top-level `id`.

use rmcp::model::RequestId;

/// The longest id that is recognised, in bytes.
const LONGEST_ID: usize = 256;

/// Follows one JSON object as far as needed to find its top-level `id`.
#[derive(Default)]
pub(crate) struct IdScanner {
    depth: u32,
    in_string: bool,
    escaped: bool,
    /// Past a colon of the top-level object, until the comma or brace after it.
    in_value: bool,
    /// The key of the top-level member that is being read is `id`.
    in_id: bool,
    /// The token being read at the top level, cut off at [`LONGEST_ID`].
    token: Vec<u8>,
    found: Option<RequestId>,
}

impl IdScanner {
    /// The id in the one piece `message`.
    pub(crate) fn find(message: &[u8]) -> Option<RequestId> {
        let mut scanner = Self::default();
        scanner.feed(message);
        scanner.found
    }

    /// Reads on.
    pub(crate) fn feed(&mut self, piece: &[u8]) {
        for &byte in piece {
            if self.found.is_some() {
                return;
            }
            if self.in_string {
                self.string_byte(byte);
            } else {
                self.structure_byte(byte);
            }
        }
    }

    /// The id, if it has come by.
    pub(crate) fn found(&self) -> Option<&RequestId> {
        self.found.as_ref()
    }

    fn string_byte(&mut self, byte: u8) {
        self.collect(byte);
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = true,
            b'"' => {
                self.in_string = false;
                self.end_token();
            }
            _ => {}
        }
    }

    fn structure_byte(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.in_string = true;
                self.token.clear();
                self.collect(byte);
            }
            b'{' | b'[' => self.depth = self.depth.saturating_add(1),
            b'}' | b']' => {
                self.end_token();
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 => self.in_value = true,
            b',' => {
                self.end_token();
                if self.depth == 1 {
                    self.in_value = false;
                    self.in_id = false;
                }
            }
            byte if byte.is_ascii_whitespace() => self.end_token(),
            _ => self.collect(byte),
        }
    }

    fn collect(&mut self, byte: u8) {
        if self.depth == 1 && self.token.len() < LONGEST_ID {
            self.token.push(byte);
        }
    }

    fn end_token(&mut self) {
        if self.depth != 1 || self.token.is_empty() {
            return;
        }
        if !self.in_value {
            self.in_id = self.token == b"\"id\"";
        } else if self.in_id {
            self.found = serde_json::from_slice(&self.token).ok();
        }
        self.token.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(id: i64) -> Option<RequestId> {
        Some(RequestId::Number(id))
    }

    #[test]
    fn the_id_is_found_wherever_it_stands() {
        for message in [
            r#"{"jsonrpc":"2.0","id":7,"method":"x","params":{"id":1}}"#,
            r#"{"method":"x","params":{"id":1,"a":[{"id":2}]},"jsonrpc":"2.0","id":7}"#,
            r#"{ "params" : { "s" : "}{\"id\":3" } , "id" : 7 }"#,
            r#"{"id":7"#.to_owned().as_str().trim(),
        ]
        .map(|message| format!("{message} "))
        {
            assert_eq!(IdScanner::find(message.as_bytes()), number(7), "{message}");
        }
    }

    #[test]
    fn ids_may_be_strings_with_escapes() {
        let found = IdScanner::find(br#"{"id":"a\"b,c","method":"x"}"#);
        assert_eq!(found, Some(RequestId::String("a\"b,c".into())));
    }

    #[test]
    fn what_has_no_usable_id_has_none() {
        for message in [
            "",
            "noise",
            r#"{"method":"x"}"#,
            r#"{"id":null,"method":"x"}"#,
            r#"{"id":{"a":1},"method":"x"}"#,
            r#"{"params":{"id":1}}"#,
            r#"{"a":"id","b":1}"#,
            r#""id":1"#,
        ] {
            assert_eq!(IdScanner::find(message.as_bytes()), None, "{message}");
        }
        let endless = format!(r#"{{"id":"{}","#, "x".repeat(10_000));
        assert_eq!(IdScanner::find(endless.as_bytes()), None);
    }

    #[test]
    fn pieces_of_any_size_give_the_same_id() {
        let message = br#"{"params":{"t":"\\\"}"},"id":"tail"}"#;
        for size in 1..message.len() {
            let mut scanner = IdScanner::default();
            message.chunks(size).for_each(|piece| scanner.feed(piece));
            let expected = RequestId::String("tail".into());
            assert_eq!(scanner.found(), Some(&expected), "pieces of {size}");
        }
    }
}
