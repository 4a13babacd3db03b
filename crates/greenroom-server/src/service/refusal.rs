//! Why Greenroom says no, in kinds that every edge can put in its own terms.

/// What kind of no it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The request itself is wrong.
    Invalid,
    /// There is no such thing, or it is somebody else's.
    NotFound,
    /// It does not go together with how things stand.
    Conflict,
    /// It is not allowed here.
    Forbidden,
    /// It is larger than may be stored or read at once.
    TooLarge,
    /// Too many ask at once: the same may work later.
    Busy,
    /// What is needed does not run or does not answer now.
    Unavailable,
    /// It took longer than it may.
    TimedOut,
    /// The browser or its engine failed under the call.
    Failed,
}

/// A no with its reason, which ends with what to do next.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// Of what kind.
    pub kind: Refused,
    /// For whoever reads it.
    pub message: String,
}

impl Refusal {
    /// A no of this kind.
    pub fn new(kind: Refused, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}
