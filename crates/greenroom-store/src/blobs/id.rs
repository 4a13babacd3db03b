//! The name of a blob.

use std::fmt;
use std::str::FromStr;

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};

use crate::error::StoreError;

const PREFIX: &str = "sha256-";

/// The SHA-256 of a blob, written `sha256-` and 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct BlobId([u8; 32]);

impl BlobId {
    pub(crate) const fn new(hash: [u8; 32]) -> Self {
        Self(hash)
    }

    /// The digits alone, as a file name.
    pub(crate) fn hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub(crate) fn from_hex(digits: &str) -> Option<Self> {
        if digits.len() != 64
            || !digits
                .bytes()
                .all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
        {
            return None;
        }
        let mut hash = [0; 32];
        for (byte, at) in hash.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&digits[at..at + 2], 16).ok()?;
        }
        Some(Self(hash))
    }
}

impl fmt::Display for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.hex())
    }
}

impl FromStr for BlobId {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        text.strip_prefix(PREFIX)
            .and_then(Self::from_hex)
            .ok_or(StoreError::NO_BLOB)
    }
}

impl From<BlobId> for String {
    fn from(id: BlobId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for BlobId {
    type Error = StoreError;

    fn try_from(text: String) -> Result<Self, StoreError> {
        text.parse()
    }
}

impl ToSql for BlobId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Blob(&self.0)))
    }
}

impl FromSql for BlobId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value
            .as_blob()?
            .try_into()
            .map(Self)
            .map_err(|_| FromSqlError::InvalidType)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_survives_its_text_form_and_nothing_else_is_one() {
        let id = BlobId::new(std::array::from_fn(|n| n as u8 * 7));
        assert_eq!(id.to_string().parse::<BlobId>().unwrap(), id);
        let digits = "a".repeat(64);
        for bad in [
            "",
            "sha256-",
            "sha256-xyz",
            digits.as_str(),
            "sha256-../../etc/passwd",
        ] {
            assert!(bad.parse::<BlobId>().is_err(), "{bad}");
        }
        assert!(
            format!("sha256-{}", "A".repeat(64))
                .parse::<BlobId>()
                .is_err(),
            "one form only"
        );
    }
}
