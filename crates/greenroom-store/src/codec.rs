//! How a large value is kept: as it came, or as one zstd frame. Lossless either way: the frame
//! carries a checksum of what went in, so that a damaged one is noticed and never served.

use std::io::{self, BufRead, BufReader, Read};

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

/// Smaller values are left alone: a frame of its own gains nothing there.
pub(crate) const WORTH_COMPRESSING: u64 = 1024;

const LEVEL: i32 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codec {
    Raw = 0,
    Zstd = 1,
    /// Still a file: the row holds a [`Ticket`](crate::spool::Ticket).
    File = 2,
}

/// Compresses what the reader gives, or answers `None` where that would not make it smaller.
pub(crate) fn compress(raw: impl Read, raw_len: u64) -> io::Result<Option<Vec<u8>>> {
    if raw_len < WORTH_COMPRESSING {
        return Ok(None);
    }
    let mut raw = raw;
    let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL)?;
    encoder.include_checksum(true)?;
    encoder.set_pledged_src_size(Some(raw_len))?;
    io::copy(&mut raw, &mut encoder)?;
    let packed = encoder.finish()?;
    Ok(((packed.len() as u64) < raw_len).then_some(packed))
}

/// Compresses a value that is at hand.
pub(crate) fn pack(raw: &[u8]) -> io::Result<(Codec, Option<Vec<u8>>)> {
    let packed = compress(raw, raw.len() as u64)?;
    Ok((
        if packed.is_some() {
            Codec::Zstd
        } else {
            Codec::Raw
        },
        packed,
    ))
}

/// The raw bytes behind stored ones, read piece by piece.
pub(crate) fn unpack<'a, R: Read + 'a>(
    codec: Codec,
    stored: R,
) -> io::Result<Box<dyn BufRead + 'a>> {
    const PIECE: usize = 64 << 10;
    let stored = BufReader::with_capacity(PIECE, stored);
    Ok(match codec {
        // What is in a file is as it came.
        Codec::Raw | Codec::File => Box::new(stored),
        Codec::Zstd => Box::new(BufReader::with_capacity(
            PIECE,
            zstd::Decoder::with_buffer(stored)?,
        )),
    })
}

impl ToSql for Codec {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok((*self as i64).into())
    }
}

impl FromSql for Codec {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value.as_i64()? {
            0 => Ok(Self::Raw),
            1 => Ok(Self::Zstd),
            2 => Ok(Self::File),
            other => Err(FromSqlError::OutOfRange(other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round_trip(raw: &[u8]) -> Vec<u8> {
        let (codec, packed) = pack(raw).unwrap();
        let mut back = Vec::new();
        let stored = packed.as_deref().unwrap_or(raw);
        unpack(codec, stored)
            .unwrap()
            .read_to_end(&mut back)
            .unwrap();
        back
    }

    proptest! {
        #[test]
        fn any_bytes_come_back_exactly(raw in proptest::collection::vec(any::<u8>(), 0..9000)) {
            prop_assert_eq!(round_trip(&raw), raw);
        }

        #[test]
        fn repetitive_bytes_come_back_exactly(byte: u8, len in 0usize..200_000) {
            let raw = vec![byte; len];
            prop_assert_eq!(round_trip(&raw), raw);
        }
    }

    #[test]
    fn noise_and_small_values_are_left_as_they_are() {
        assert_eq!(pack(b"short").unwrap(), (Codec::Raw, None));
        assert_eq!(pack(&vec![b'x'; 4096]).unwrap().0, Codec::Zstd);
    }

    #[test]
    fn a_damaged_frame_is_noticed() {
        let text: String = (0..2000).map(|n| format!("line {n}\n")).collect();
        let mut packed = pack(text.as_bytes()).unwrap().1.unwrap();
        let middle = packed.len() / 2;
        packed[middle] ^= 0x40;
        let read = unpack(Codec::Zstd, &packed[..])
            .and_then(|mut reader| reader.read_to_end(&mut Vec::new()));
        assert!(read.is_err());
    }
}
