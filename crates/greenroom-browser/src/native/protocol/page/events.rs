//! What pages tell.

use super::super::dom::BackendNodeId;
use super::super::{Event, FrameId, LoaderId};
use super::Frame;

event! {
    /// A stage of a load: `init`, `commit`, `DOMContentLoaded`, `load`, `networkIdle`…
    LifecycleEvent = "Page.lifecycleEvent" {
        frame_id: FrameId,
        loader_id: LoaderId,
        name: String,
        timestamp: f64,
    }
    /// The document has loaded with all that belongs to it.
    LoadEventFired = "Page.loadEventFired" { timestamp: f64 }
    /// The document has been read.
    DomContentEventFired = "Page.domContentEventFired" { timestamp: f64 }
    /// A frame has come.
    FrameAttached = "Page.frameAttached" { frame_id: FrameId, parent_frame_id: FrameId }
    /// A frame has gone from this process: for good (`remove`), or to another process (`swap`).
    FrameDetached = "Page.frameDetached" {
        frame_id: FrameId,
        #[serde(default)]
        reason: String,
    }
    /// A frame has a new document.
    FrameNavigated = "Page.frameNavigated" {
        frame: Frame,
        #[serde(rename = "type", default)]
        kind: String,
    }
    /// A frame has a new address within its document.
    NavigatedWithinDocument = "Page.navigatedWithinDocument" { frame_id: FrameId, url: String }
    /// A frame is about to ask for a navigation.
    FrameRequestedNavigation = "Page.frameRequestedNavigation" {
        frame_id: FrameId,
        reason: String,
        url: String,
        disposition: String,
    }
    /// A navigation has begun.
    FrameStartedNavigating = "Page.frameStartedNavigating" {
        frame_id: FrameId,
        url: String,
        loader_id: LoaderId,
        navigation_type: String,
    }
    /// A frame has begun to load.
    FrameStartedLoading = "Page.frameStartedLoading" { frame_id: FrameId }
    /// A frame has ended loading.
    FrameStoppedLoading = "Page.frameStoppedLoading" { frame_id: FrameId }
    /// The page shows a dialog, and stands still until it is answered.
    JavascriptDialogOpening = "Page.javascriptDialogOpening" {
        url: String,
        message: String,
        /// `alert`, `confirm`, `prompt` or `beforeunload`.
        #[serde(rename = "type")]
        kind: String,
        #[serde(default)]
        default_prompt: String,
        frame_id: Option<FrameId>,
    }
    /// The dialog is gone.
    JavascriptDialogClosed = "Page.javascriptDialogClosed" { result: bool, user_input: String }
    /// The page wants files.
    FileChooserOpened = "Page.fileChooserOpened" {
        frame_id: FrameId,
        /// `selectSingle` or `selectMultiple`.
        mode: String,
        backend_node_id: Option<BackendNodeId>,
    }
    /// The page opens a window.
    WindowOpen = "Page.windowOpen" { url: String, window_name: String, user_gesture: bool }
    /// A download begins. The browser says the same of all worlds on its own session; here each
    /// page hears of its own, which is what worlds need.
    DownloadWillBegin = "Page.downloadWillBegin" {
        frame_id: FrameId,
        /// The name of the file in the directory of downloads.
        guid: String,
        url: String,
        /// The name that the page wants: nothing to be trusted.
        suggested_filename: String,
    }
    /// A download goes on, or ends.
    DownloadProgress = "Page.downloadProgress" {
        guid: String,
        total_bytes: f64,
        received_bytes: f64,
        /// `inProgress`, `completed` or `canceled`.
        state: String,
    }
}
