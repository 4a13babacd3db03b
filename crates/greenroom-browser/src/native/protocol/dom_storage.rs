//! Local and session storage.

use serde::Serialize;

use super::{Command, Done};

/// Which storage is meant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "named and documented by the protocol")]
pub struct StorageId {
    pub storage_key: String,
    pub is_local_storage: bool,
}

command! {
    /// All that is in a storage. A frame of the session's page must have it.
    GetDomStorageItems = "DOMStorage.getDOMStorageItems" -> Items { storage_id: StorageId }

    /// Sets a value.
    SetDomStorageItem = "DOMStorage.setDOMStorageItem" -> Done {
        storage_id: StorageId,
        key: String,
        value: String,
    }

    /// Removes a value.
    RemoveDomStorageItem = "DOMStorage.removeDOMStorageItem" -> Done {
        storage_id: StorageId,
        key: String,
    }

    /// Removes all values.
    Clear = "DOMStorage.clear" -> Done { storage_id: StorageId }
}

received! {
    /// What is in a storage, as pairs.
    Items { entries: Vec<(String, String)> }
}
