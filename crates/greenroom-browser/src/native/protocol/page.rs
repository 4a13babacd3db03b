//! Pages: navigation, frames, dialogs, pictures.

mod events;
mod pictures;

use super::runtime::ExecutionContextId;
use super::{Command, Done, FrameId, LoaderId};

pub use events::*;
pub use pictures::*;

command! {
    /// Asks for the events of this domain.
    Enable = "Page.enable" -> Done {}

    /// Asks for the stages of each load (`Page.lifecycleEvent`).
    SetLifecycleEventsEnabled = "Page.setLifecycleEventsEnabled" -> Done { enabled: bool }

    /// Loads an address. Answers when the document has begun to arrive, or could not be had.
    Navigate = "Page.navigate" -> Navigated { url: String } {
        referrer: String,
        transition_type: String,
        frame_id: FrameId,
    }

    /// Loads the same address again.
    Reload = "Page.reload" -> Done {} { ignore_cache: bool }

    /// Stops what is loading.
    StopLoading = "Page.stopLoading" -> Done {}

    /// The entries behind the back and forward buttons.
    GetNavigationHistory = "Page.getNavigationHistory" -> NavigationHistory {}

    /// Goes to an entry of the history.
    NavigateToHistoryEntry = "Page.navigateToHistoryEntry" -> Done { entry_id: i64 }

    /// The frames of this process, as they are now.
    GetFrameTree = "Page.getFrameTree" -> FrameTreeReply {}

    /// Makes a world for our scripts in a frame, which sees the document and not the page's scripts.
    CreateIsolatedWorld = "Page.createIsolatedWorld" -> IsolatedWorld { frame_id: FrameId } {
        world_name: String,
        grant_univeral_access: bool,
    }

    /// Runs a script in every document before its own scripts.
    AddScriptToEvaluateOnNewDocument = "Page.addScriptToEvaluateOnNewDocument" -> ScriptAdded {
        source: String,
    } {
        world_name: String,
        run_immediately: bool,
    }

    /// No longer runs such a script.
    RemoveScriptToEvaluateOnNewDocument = "Page.removeScriptToEvaluateOnNewDocument" -> Done {
        identifier: String,
    }

    /// Answers a dialog.
    HandleJavaScriptDialog = "Page.handleJavaScriptDialog" -> Done { accept: bool } {
        prompt_text: String,
    }

    /// Tells of a file chooser in place of showing it.
    SetInterceptFileChooserDialog = "Page.setInterceptFileChooserDialog" -> Done { enabled: bool } {
        cancel: bool,
    }

    /// Lets scripts and styles through that the page's own policy forbids.
    SetBypassCSP = "Page.setBypassCSP" -> Done { enabled: bool }

    /// Freezes the page or lets it go on (`frozen`, `active`).
    SetWebLifecycleState = "Page.setWebLifecycleState" -> Done { state: String }

    /// Puts text in place of the document of a frame.
    SetDocumentContent = "Page.setDocumentContent" -> Done { frame_id: FrameId, html: String }

    /// Brings the page to the front.
    BringToFront = "Page.bringToFront" -> Done {}

    /// Closes the page as a person would: it may ask, and then stays.
    Close = "Page.close" -> Done {}

    /// Ends the page's process, for tests.
    Crash = "Page.crash" -> Done {}
}

received! {
    /// What became of a navigation.
    Navigated {
        frame_id: FrameId,
        /// The load that it began; none within the same document.
        loader_id: Option<LoaderId>,
        /// Why there is no document, such as `net::ERR_CONNECTION_REFUSED`.
        error_text: Option<String>,
        is_download: Option<bool>,
    }
    /// The entries behind the back and forward buttons.
    NavigationHistory { current_index: i64, entries: Vec<NavigationEntry> }
    /// One of them.
    NavigationEntry {
        id: i64,
        url: String,
        #[serde(rename = "userTypedURL", default)]
        user_typed_url: String,
        title: String,
    }
    /// The frames of this process.
    FrameTreeReply { frame_tree: FrameTree }
    /// A frame with those below it.
    FrameTree { frame: Frame, #[serde(default)] child_frames: Vec<FrameTree> }
    /// A frame.
    Frame {
        id: FrameId,
        parent_id: Option<FrameId>,
        loader_id: LoaderId,
        name: Option<String>,
        url: String,
        url_fragment: Option<String>,
        #[serde(default)]
        security_origin: String,
        #[serde(default)]
        mime_type: String,
        /// The address that could not be had, when this is the page that says so.
        unreachable_url: Option<String>,
    }
    /// A world for our scripts.
    IsolatedWorld { execution_context_id: ExecutionContextId }
    /// A script that runs in every document.
    ScriptAdded { identifier: String }
}

impl Frame {
    /// Its address with the part after the hash.
    pub fn full_url(&self) -> String {
        let fragment = self.url_fragment.as_deref().unwrap_or_default();
        format!("{}{fragment}", self.url)
    }
}

/// Numbers that the protocol gives in CSS pixels.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[allow(missing_docs, reason = "named and documented by the protocol")]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}
