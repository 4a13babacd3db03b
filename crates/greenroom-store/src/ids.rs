//! The names by which rows are known. Each is a type of its own, so that a session cannot be
//! passed where a reader is meant.

use std::fmt;
use std::str::FromStr;

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::error::StoreError;

/// A text that names something, compared byte for byte.
macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Takes the name as it is.
            pub fn new(name: impl Into<String>) -> Self {
                Self(name.into())
            }

            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                self.0.to_sql()
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                String::column_result(value).map(Self)
            }
        }
    };
}

text_id! {
    /// Who is calling. Every row belongs to one, and every read names one.
    Principal
}
text_id! {
    /// An agent's durable world. Unique within its principal only.
    SessionId
}
text_id! {
    /// One who reads content and has a cursor of its own.
    Reader
}

/// The name of one call and of its response: a UUID of version 7, so that names sort by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RefId(Uuid);

impl RefId {
    /// A name that nobody has had before.
    #[allow(
        clippy::new_without_default,
        reason = "a default that differs each time surprises"
    )]
    pub fn new() -> Self {
        Self(Uuid::now_v7())
    }

    pub(crate) fn as_bytes(&self) -> &[u8; 16] {
        self.0.as_bytes()
    }
}

impl fmt::Display for RefId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for RefId {
    type Err = StoreError;

    /// A text that is no name at all is answered like a name that nobody has.
    fn from_str(text: &str) -> Result<Self, StoreError> {
        Uuid::parse_str(text)
            .map(Self)
            .map_err(|_| StoreError::NO_RESPONSE)
    }
}

impl ToSql for RefId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Blob(self.0.as_bytes())))
    }
}

impl FromSql for RefId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Uuid::from_slice(value.as_blob()?)
            .map(Self)
            .map_err(|_| FromSqlError::InvalidType)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ref_id_survives_its_text_form_and_sorts_by_time() {
        let first = RefId::new();
        let second = RefId::new();
        assert_eq!(first.to_string().parse::<RefId>().unwrap(), first);
        assert!(first < second);
    }

    #[test]
    fn nonsense_is_answered_like_an_unknown_name() {
        let error = "not-an-id".parse::<RefId>().unwrap_err();
        assert_eq!(error.to_string(), StoreError::NO_RESPONSE.to_string());
    }
}
