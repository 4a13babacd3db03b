//! Why something cannot be read, in the words of whoever reads.

use greenroom_store::{RefId, StoreError};

use crate::dispatch::CallError;
use crate::service::Refused;

/// No answer has this name, or none of this principal's: nobody is told which.
pub(super) fn unknown(ref_id: &str) -> CallError {
    CallError::Reading {
        kind: Refused::NotFound,
        message: format!(
            "unknown ref_id '{ref_id}': no answer of yours has it, or it was older than \
             RETENTION_HOURS. The closing line of every answer has its ref_id."
        ),
    }
}

pub(super) fn invalid(message: impl Into<String>) -> CallError {
    CallError::Reading {
        kind: Refused::Invalid,
        message: message.into(),
    }
}

/// What the store said about a read.
pub(super) fn from_store(error: &StoreError, ref_id: RefId) -> CallError {
    let kind = match error {
        StoreError::NotFound { .. } => return unknown(&ref_id.to_string()),
        StoreError::TooLarge { .. } => Refused::TooLarge,
        _ => Refused::Unavailable,
    };
    CallError::Reading {
        kind,
        message: error.to_string(),
    }
}
