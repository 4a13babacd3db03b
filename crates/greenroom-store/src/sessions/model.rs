//! What a session is made of.

use rusqlite::Row;
use serde::{Deserialize, Serialize};

use crate::calls::word_column;
use crate::ids::{Principal, SessionId};
use crate::timestamp::Timestamp;

/// How a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionState {
    /// It holds an instance, in the process that made it active.
    Active,
    /// Its state is saved and its instance freed.
    Parked,
    /// It is over.
    Closed,
    /// It could not be brought back.
    Error,
}

impl SessionState {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Parked => "parked",
            Self::Closed => "closed",
            Self::Error => "error",
        }
    }
}

word_column!(SessionState: Active, Parked, Closed, Error);

/// A session to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSession {
    /// Whose.
    pub principal: Principal,
    /// Its name.
    pub id: SessionId,
    /// Where it lives.
    pub pool: String,
    /// What people call it.
    pub label: Option<String>,
}

/// A session as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Session {
    /// Its name.
    pub id: SessionId,
    /// Where it lives.
    pub pool: String,
    /// What people call it.
    pub label: Option<String>,
    /// How it stands.
    pub state: SessionState,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used.
    pub last_used_at: Timestamp,
}

pub(super) fn session(row: &Row<'_>) -> rusqlite::Result<Session> {
    Ok(Session {
        id: row.get(0)?,
        pool: row.get(1)?,
        label: row.get(2)?,
        state: row.get(3)?,
        created_at: row.get(4)?,
        last_used_at: row.get(5)?,
    })
}
