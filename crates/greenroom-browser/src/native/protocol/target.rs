//! Targets: pages, frames of other sites, workers; and the contexts they live in.

use serde::{Deserialize, Serialize};

use super::{Command, ContextId, Done, Event, SessionId, TargetId};

/// Which targets are meant. The first entry that fits a target decides; one that none fits is not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FilterEntry {
    /// Whether it is left out.
    pub exclude: bool,
    /// The type of target; any, if none is given.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
}

impl FilterEntry {
    /// Targets of this type.
    pub fn only(kind: &'static str) -> Self {
        Self {
            exclude: false,
            kind: Some(kind),
        }
    }
}

command! {
    /// Makes a world with cookies and storage of its own.
    CreateBrowserContext = "Target.createBrowserContext" -> ContextCreated {} {
        dispose_on_detach: bool,
        proxy_server: String,
        proxy_bypass_list: String,
    }

    /// Ends a world with all its pages, without asking them.
    DisposeBrowserContext = "Target.disposeBrowserContext" -> Done { browser_context_id: ContextId }

    /// Names the worlds that there are, the browser's own left out.
    GetBrowserContexts = "Target.getBrowserContexts" -> Contexts {}

    /// Opens a page.
    CreateTarget = "Target.createTarget" -> TargetCreated { url: String } {
        browser_context_id: ContextId,
        width: u32,
        height: u32,
        new_window: bool,
        background: bool,
    }

    /// Closes a page, without asking it.
    CloseTarget = "Target.closeTarget" -> Done { target_id: TargetId }

    /// Names the targets that there are.
    GetTargets = "Target.getTargets" -> Targets {} { filter: Vec<FilterEntry> }

    /// Opens a session with a target.
    AttachToTarget = "Target.attachToTarget" -> Attached { target_id: TargetId, flatten: bool }

    /// Ends a session; the target goes on.
    DetachFromTarget = "Target.detachFromTarget" -> Done { session_id: SessionId }

    /// Opens sessions with targets as they come. On the browser: its pages. On a page: its frames
    /// of other sites and its workers, each of which needs the same said to it in turn.
    SetAutoAttach = "Target.setAutoAttach" -> Done {
        auto_attach: bool,
        wait_for_debugger_on_start: bool,
        flatten: bool,
    } {
        filter: Vec<FilterEntry>,
    }

    /// Tells of targets as they come and change.
    SetDiscoverTargets = "Target.setDiscoverTargets" -> Done { discover: bool } {
        filter: Vec<FilterEntry>,
    }
}

impl SetAutoAttach {
    /// Attaches to targets of this type and holds none up. (But see `Router`: a window that a page
    /// opens waits all the same.)
    pub fn to(kind: &'static str) -> Self {
        Self {
            auto_attach: true,
            wait_for_debugger_on_start: false,
            flatten: true,
            filter: Some(vec![FilterEntry::only(kind)]),
        }
    }

    /// Attaches to targets of this type and holds each up until it is let go
    /// (`Runtime.runIfWaitingForDebugger`).
    pub fn hold(kind: &'static str) -> Self {
        Self {
            wait_for_debugger_on_start: true,
            ..Self::to(kind)
        }
    }
}

received! {
    /// A new world.
    ContextCreated { browser_context_id: ContextId }
    /// All worlds.
    Contexts { browser_context_ids: Vec<ContextId> }
    /// A new page.
    TargetCreated { target_id: TargetId }
    /// A new session.
    Attached { session_id: SessionId }
    /// All targets.
    Targets { target_infos: Vec<TargetInfo> }
    /// What a target is.
    TargetInfo {
        target_id: TargetId,
        #[serde(rename = "type")]
        kind: String,
        title: String,
        url: String,
        attached: bool,
        /// Who opened it, if a page did.
        opener_id: Option<TargetId>,
        browser_context_id: Option<ContextId>,
    }
}

event! {
    /// A session has begun.
    AttachedToTarget = "Target.attachedToTarget" {
        session_id: SessionId,
        target_info: TargetInfo,
        waiting_for_debugger: bool,
    }
    /// A session has ended.
    DetachedFromTarget = "Target.detachedFromTarget" { session_id: SessionId }
    /// A target's address or title has changed.
    TargetInfoChanged = "Target.targetInfoChanged" { target_info: TargetInfo }
    /// A target has come.
    TargetAppeared = "Target.targetCreated" { target_info: TargetInfo }
    /// A target has gone.
    TargetDestroyed = "Target.targetDestroyed" { target_id: TargetId }
    /// The process of a target has ended.
    TargetCrashed = "Target.targetCrashed" { target_id: TargetId, status: String, error_code: i64 }
    /// The process of this session's target has ended. Sent once `Inspector.enable` was said.
    Crashed = "Inspector.targetCrashed" {}
    /// This session was ended by the browser.
    InspectorDetached = "Inspector.detached" { reason: String }
}

command! {
    /// Asks for the events of `Inspector`, the crash of the renderer among them.
    EnableInspector = "Inspector.enable" -> Done {}
}

/// What a target is, as far as the engine tells them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum TargetKind {
    /// A tab or a popup.
    Page,
    /// A frame of another site, in a process of its own.
    Frame,
    /// Anything else.
    Other,
}

impl TargetInfo {
    /// What it is.
    pub fn kind(&self) -> TargetKind {
        match self.kind.as_str() {
            "page" => TargetKind::Page,
            "iframe" => TargetKind::Frame,
            _ => TargetKind::Other,
        }
    }
}
