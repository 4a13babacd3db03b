//! What the URI of a blob asks for: `blob://sha256-…`, or a part of it with
//! `blob://sha256-…?offset=0&length=1024`.

use rmcp::ErrorData;
use serde_json::json;

use super::not_found;
use crate::service::BlobView;

/// The largest piece that is read at once. Its message stays below what clients take as one line.
const LARGEST_PIECE: u64 = 8 * 1024 * 1024;

/// The parts of a URI.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Asked<'a> {
    pub(super) id: &'a str,
    offset: Option<u64>,
    length: Option<u64>,
}

impl<'a> Asked<'a> {
    pub(super) fn parse(uri: &'a str) -> Result<Self, ErrorData> {
        let Some(rest) = uri.strip_prefix(BlobView::SCHEME) else {
            return Err(not_found(
                uri,
                "no such resource: resources/list names yours",
            ));
        };
        let (id, query) = rest.split_once('?').unwrap_or((rest, ""));
        let mut asked = Self {
            id,
            offset: None,
            length: None,
        };
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let number = value.parse().ok();
            match (name, number) {
                ("offset", Some(number)) => asked.offset = Some(number),
                ("length", Some(number)) => asked.length = Some(number),
                _ => {
                    let message = format!(
                        "'{pair}' is no part of the URI of a blob: after the ? come \
                         offset=<bytes> and length=<bytes>, joined by &"
                    );
                    return Err(ErrorData::invalid_params(message, None));
                }
            }
        }
        Ok(asked)
    }

    /// Offset and length of what is to be read. A range is cut to the blob; where no length is
    /// given, it goes as far as may be read at once.
    pub(super) fn extent(&self, blob: &BlobView) -> Result<(u64, u64), ErrorData> {
        let ranged = self.offset.is_some() || self.length.is_some();
        let offset = self.offset.unwrap_or(0);
        let Some(left) = blob.size.checked_sub(offset) else {
            let message = format!(
                "offset {offset} is past the end: the blob has {} bytes",
                blob.size
            );
            return Err(ErrorData::invalid_params(message, None));
        };
        let length = match (self.length, ranged) {
            (Some(length), _) => length.min(left),
            (None, true) => left.min(LARGEST_PIECE),
            (None, false) => left,
        };
        if length > LARGEST_PIECE {
            return Err(too_large(blob, length));
        }
        Ok((offset, length))
    }
}

fn too_large(blob: &BlobView, length: u64) -> ErrorData {
    let message = format!(
        "{length} bytes are more than can be read at once ({LARGEST_PIECE}): read a part with \
         {}?offset=0&length={LARGEST_PIECE} and go on from there, or use GET /blobs/{} over HTTP, \
         with Range if you like",
        blob.uri(),
        blob.id,
    );
    ErrorData::invalid_params(message, Some(json!({"size": blob.size})))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob(size: u64) -> BlobView {
        BlobView {
            id: "sha256-0".to_owned(),
            size,
            mime_type: "image/png".to_owned(),
            named_at: String::new(),
        }
    }

    fn extent(uri: &str, size: u64) -> Result<(u64, u64), String> {
        let asked = Asked::parse(uri).map_err(|error| error.message.into_owned())?;
        let extent = asked.extent(&blob(size));
        extent.map_err(|error| error.message.into_owned())
    }

    #[test]
    fn a_range_is_cut_to_the_blob_and_to_what_may_be_read_at_once() {
        for (query, extent_of_ten) in [
            ("", (0, 10)),
            ("?", (0, 10)),
            ("?offset=3", (3, 7)),
            ("?length=4", (0, 4)),
            ("?length=4&offset=8", (8, 2)),
            ("?offset=10", (10, 0)),
        ] {
            let uri = format!("blob://sha256-0{query}");
            assert_eq!(extent(&uri, 10), Ok(extent_of_ten), "{query}");
        }
        let open = extent("blob://sha256-0?offset=1", 2 * LARGEST_PIECE);
        assert_eq!(open, Ok((1, LARGEST_PIECE)));
    }

    #[test]
    fn what_is_too_much_is_refused_with_both_ways_on() {
        for uri in ["blob://x", "blob://x?offset=0&length=9000000"] {
            let message = extent(uri, LARGEST_PIECE + 1_000_000).unwrap_err();
            assert!(message.contains("?offset=0&length=8388608"), "{message}");
            assert!(message.contains("GET /blobs/sha256-0"), "{message}");
        }
    }

    #[test]
    fn an_offset_past_the_end_and_a_strange_query_say_what_is_right() {
        let past = extent("blob://x?offset=11", 10).unwrap_err();
        assert!(past.contains("the blob has 10 bytes"), "{past}");
        for query in [
            "offset=-1",
            "offset",
            "length=x",
            "size=1",
            "offset=1;length=2",
        ] {
            let message = extent(&format!("blob://x?{query}"), 10).unwrap_err();
            assert!(message.contains("offset=<bytes>"), "{query}: {message}");
        }
    }

    #[test]
    fn another_scheme_names_nothing_here() {
        let error = Asked::parse("file:///etc/passwd").unwrap_err();
        assert_eq!(error.code.0, -32002);
        assert_eq!(error.data, Some(json!({"uri": "file:///etc/passwd"})));
    }
}
