//! What a call and its response are made of.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::console::ConsoleMessage;
use crate::ids::{Principal, RefId, SessionId};
use crate::timestamp::Timestamp;

/// One invocation of a tool, as known when it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its name.
    pub ref_id: RefId,
    /// Who calls.
    pub principal: Principal,
    /// In which session, if in one.
    pub session: Option<SessionId>,
    /// In which pool, if known.
    pub pool: Option<String>,
    /// On which instance, if known.
    pub instance: Option<String>,
    /// What is called.
    pub tool: String,
    /// With which arguments, as JSON text.
    pub arguments: String,
    /// Since when.
    pub started_at: Timestamp,
}

impl Call {
    /// A call without arguments, session or place yet.
    pub fn new(
        ref_id: RefId,
        principal: Principal,
        tool: impl Into<String>,
        started_at: Timestamp,
    ) -> Self {
        Self {
            ref_id,
            principal,
            session: None,
            pool: None,
            instance: None,
            tool: tool.into(),
            arguments: "{}".to_owned(),
            started_at,
        }
    }

    /// In this session.
    #[must_use]
    pub fn session(mut self, session: SessionId) -> Self {
        self.session = Some(session);
        self
    }

    /// In this pool, on this instance.
    #[must_use]
    pub fn place(mut self, pool: impl Into<String>, instance: impl Into<String>) -> Self {
        self.pool = Some(pool.into());
        self.instance = Some(instance.into());
        self
    }

    /// With these arguments, JSON text that is kept as it is.
    #[must_use]
    pub fn arguments(mut self, arguments: impl Into<String>) -> Self {
        self.arguments = arguments.into();
        self
    }
}

/// How a call stands or ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It runs.
    Running,
    /// It did what was asked.
    Success,
    /// It failed and had no effect beyond what its response says.
    Error,
    /// It may or may not have happened.
    Unknown,
}

impl Outcome {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Success => "success",
            Self::Error => "error",
            Self::Unknown => "unknown",
        }
    }
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finish {
    /// With which outcome.
    pub outcome: Outcome,
    /// After how long.
    pub duration: Duration,
    /// With which response. A call that was cancelled may have none.
    pub response: Option<Response>,
}

impl Finish {
    /// An end without a response.
    pub fn new(outcome: Outcome, duration: Duration) -> Self {
        Self {
            outcome,
            duration,
            response: None,
        }
    }

    /// With this response.
    #[must_use]
    pub fn response(mut self, response: Response) -> Self {
        self.response = Some(response);
        self
    }
}

/// What a call answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// The result, byte for byte.
    pub result: Vec<u8>,
    /// The text that is read with cursors, in pages, or searched.
    pub content: Option<Content>,
    /// What the page wrote to its console.
    pub console: Vec<ConsoleMessage>,
    /// Where the page was.
    pub url: Option<String>,
    /// What the page was called.
    pub title: Option<String>,
    /// Which tab it was in.
    pub tab: Option<String>,
}

impl Response {
    /// A response that is only its bytes.
    pub fn new(result: Vec<u8>) -> Self {
        Self {
            result,
            ..Self::default()
        }
    }

    /// With this text.
    #[must_use]
    pub fn content(mut self, content: Content) -> Self {
        self.content = Some(content);
        self
    }

    /// With these console messages.
    #[must_use]
    pub fn console(mut self, console: Vec<ConsoleMessage>) -> Self {
        self.console = console;
        self
    }

    /// Of this page.
    #[must_use]
    pub fn page(mut self, url: impl Into<String>, title: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self.title = Some(title.into());
        self
    }

    /// In this tab.
    #[must_use]
    pub fn tab(mut self, tab: impl Into<String>) -> Self {
        self.tab = Some(tab.into());
        self
    }
}

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContentKind {
    /// A page as it was seen. Readers have cursors on it, and its words are indexed.
    Snapshot,
    /// Any other answer. It is read whole, and no cursor moves.
    Text,
}

impl ContentKind {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Snapshot => "snapshot",
            Self::Text => "text",
        }
    }
}

/// The text of a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// What it is.
    pub kind: ContentKind,
    /// The text.
    pub text: String,
}

impl Content {
    /// A page as it was seen.
    pub fn snapshot(text: impl Into<String>) -> Self {
        Self {
            kind: ContentKind::Snapshot,
            text: text.into(),
        }
    }

    /// Any other answer.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            kind: ContentKind::Text,
            text: text.into(),
        }
    }
}

/// Proof that a call and its response are committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Persisted(pub RefId);

/// Values that a column holds as a word.
macro_rules! word_column {
    ($type:ident: $($variant:ident),+) => {
        impl rusqlite::ToSql for $type {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(self.as_str().into())
            }
        }

        impl rusqlite::types::FromSql for $type {
            fn column_result(
                value: rusqlite::types::ValueRef<'_>,
            ) -> rusqlite::types::FromSqlResult<Self> {
                let word = value.as_str()?;
                [$(Self::$variant),+]
                    .into_iter()
                    .find(|known| known.as_str() == word)
                    .ok_or(rusqlite::types::FromSqlError::InvalidType)
            }
        }
    };
}
pub(crate) use word_column;

word_column!(Outcome: Running, Success, Error, Unknown);
word_column!(ContentKind: Snapshot, Text);
