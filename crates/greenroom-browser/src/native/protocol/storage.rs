//! Cookies and what sites keep.

use super::network::{Cookie, CookieParam};
use super::{Command, ContextId, Done, FrameId};

command! {
    /// All cookies of a world, those that scripts cannot see included.
    GetCookies = "Storage.getCookies" -> Cookies {} { browser_context_id: ContextId }

    /// Sets cookies in a world.
    SetCookies = "Storage.setCookies" -> Done { cookies: Vec<CookieParam> } {
        browser_context_id: ContextId,
    }

    /// Removes all cookies of a world.
    ClearCookies = "Storage.clearCookies" -> Done {} { browser_context_id: ContextId }

    /// Removes what a site keeps, in the world of the session's page. Types with commas between
    /// them: `local_storage`, `indexeddb`, `service_workers`, `cache_storage`, … or `all`.
    ClearDataForOrigin = "Storage.clearDataForOrigin" -> Done {
        origin: String,
        storage_types: String,
    }

    /// The name of the storage that a frame's document has.
    GetStorageKeyForFrame = "Storage.getStorageKeyForFrame" -> StorageKey { frame_id: FrameId }
}

received! {
    /// All cookies.
    Cookies { cookies: Vec<Cookie> }
    /// The name of a storage.
    StorageKey { storage_key: String }
}
