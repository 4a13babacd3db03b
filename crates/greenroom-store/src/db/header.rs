//! What the first bytes of a file say, compared with what is there.
//!
//! SQLite believes the length of a file in WAL mode and finds out that it was cut short only when
//! it misses a page, much later. The header knows how many pages there were.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::files;

const MAGIC: &[u8] = b"SQLite format 3\0";

/// Says what is wrong with the length of a file, if anything. A file whose log is not empty may be
/// shorter than its header says: the rest is in the log.
pub(crate) fn cut_short(path: &Path) -> io::Result<Option<String>> {
    let log = files::size(&files::with_suffix(path, "-wal"));
    let length = files::size(path);
    if length == 0 && log > 0 {
        // SQLite would drop the log of an empty file without a word.
        return Ok(Some("the file is empty and its log is not".to_owned()));
    }
    if log > 0 {
        return Ok(None);
    }
    let mut header = Vec::with_capacity(100);
    File::open(path)?.take(100).read_to_end(&mut header)?;
    Ok(expected_length(&header)
        .filter(|expected| length < *expected)
        .map(|expected| format!("it has {length} bytes of {expected}")))
}

fn expected_length(header: &[u8]) -> Option<u64> {
    if !header.starts_with(MAGIC) {
        // Not for us to judge: SQLite says that this is no database.
        return None;
    }
    let page = u16::from_be_bytes(header.get(16..18)?.try_into().ok()?);
    let page = if page == 1 { 65_536 } else { u64::from(page) };
    let pages = u32::from_be_bytes(header.get(28..32)?.try_into().ok()?);
    Some(page * u64::from(pages))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_is_pages_times_their_size() {
        let header = |page: u16, pages: u32| {
            let mut header = vec![0; 100];
            header[..16].copy_from_slice(MAGIC);
            header[16..18].copy_from_slice(&page.to_be_bytes());
            header[28..32].copy_from_slice(&pages.to_be_bytes());
            header
        };
        assert_eq!(expected_length(&header(4096, 3)), Some(12_288));
        assert_eq!(expected_length(&header(1, 2)), Some(131_072));
        assert_eq!(expected_length(b"a letter"), None);
        assert_eq!(expected_length(MAGIC), None);
    }
}
