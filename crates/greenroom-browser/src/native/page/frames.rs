//! The frames of a page, over all processes that they are in.

use std::collections::HashMap;

use crate::native::conn::{Session, SessionId};
use crate::native::protocol::page::{Frame as Told, FrameTree};
use crate::native::protocol::runtime::ExecutionContextId;
use crate::native::protocol::{FrameId, LoaderId};

/// How far the document of a frame has come, and what was begun and ended in it. Numbers only
/// grow, so that whoever remembers them can tell what has happened since.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Load {
    /// Which load it is.
    pub loader: LoaderId,
    /// Whether the document has been read.
    pub is_read: bool,
    /// Whether all that belongs to it is here.
    pub is_loaded: bool,
    /// Whether the frame is loading, be it this document or the next.
    pub is_loading: bool,
    /// How often a script or a link wanted to go elsewhere.
    pub requested: u64,
    /// How often a navigation to another document has begun.
    pub started: u64,
    /// How often one has ended, in a new document or in none.
    pub ended: u64,
}

/// Where our script is in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Installed {
    pub(super) context: ExecutionContextId,
    pub(super) number: u32,
}

/// What is known of a frame.
#[derive(Debug, Clone)]
pub struct FrameInfo {
    /// The frame that holds it.
    pub parent: Option<FrameId>,
    /// Where commands for it go.
    pub session: Session,
    /// Its address.
    pub url: String,
    /// How far it has come.
    pub load: Load,
    pub(super) installed: Option<Installed>,
}

/// The frames of a page.
#[derive(Debug)]
pub(crate) struct Frames {
    main: FrameId,
    table: HashMap<FrameId, FrameInfo>,
}

impl Frames {
    pub(super) fn of(tree: &FrameTree, session: &Session) -> Self {
        let mut frames = Self {
            main: tree.frame.id.clone(),
            table: HashMap::new(),
        };
        frames.learn(tree, session);
        frames
    }

    /// Takes over what a process says of its frames. It has said so before it is read here, and
    /// events may have overtaken it: a frame that is known to be in another process has gone there
    /// since, and would be looked for in vain where it was.
    pub(super) fn learn(&mut self, tree: &FrameTree, session: &Session) {
        let frame = &tree.frame;
        let known = self.table.get(&frame.id);
        if known.is_some_and(|known| known.session.id() != session.id()) {
            return;
        }
        self.attached(&frame.id, frame.parent_id.clone(), session);
        if let Some(known) = self.table.get_mut(&frame.id) {
            known.url = frame.full_url();
            if known.load.loader != frame.loader_id {
                known.load.loader = frame.loader_id.clone();
                known.installed = None;
            }
        }
        for child in &tree.child_frames {
            self.learn(child, session);
        }
    }

    pub(crate) fn main(&self) -> &FrameId {
        &self.main
    }

    pub(crate) fn main_info(&self) -> Option<&FrameInfo> {
        self.table.get(&self.main)
    }

    pub(crate) fn get(&self, id: &FrameId) -> Option<&FrameInfo> {
        self.table.get(id)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&FrameId, &FrameInfo)> {
        self.table.iter()
    }

    /// The sessions that its frames are in, each once.
    pub(super) fn sessions(&self) -> Vec<Session> {
        let mut sessions: Vec<Session> = Vec::new();
        for info in self.table.values() {
            if sessions.iter().all(|known| known.id() != info.session.id()) {
                sessions.push(info.session.clone());
            }
        }
        sessions
    }

    /// The frame whose document has this number.
    pub(super) fn numbered(&self, number: u32) -> Option<FrameId> {
        let of = |info: &FrameInfo| info.installed.is_some_and(|here| here.number == number);
        let mut all = self.table.iter();
        all.find_map(|(id, info)| of(info).then(|| id.clone()))
    }

    /// A frame has come, or come to another process.
    pub(super) fn attached(&mut self, id: &FrameId, parent: Option<FrameId>, session: &Session) {
        let known = self.table.entry(id.clone()).or_insert_with(|| FrameInfo {
            parent: None,
            session: session.clone(),
            url: String::new(),
            load: Load::default(),
            installed: None,
        });
        known.parent = parent.or_else(|| known.parent.take());
        known.move_to(session);
    }

    /// A frame has gone for good, with those in it.
    pub(super) fn removed(&mut self, id: &FrameId) {
        let mut gone = vec![id.clone()];
        while let Some(id) = gone.pop() {
            self.table.remove(&id);
            let of = |info: &FrameInfo| info.parent.as_ref() == Some(&id);
            let children = self.table.iter().filter(|(_, info)| of(info));
            gone.extend(children.map(|(id, _)| id.clone()).collect::<Vec<_>>());
        }
    }

    pub(super) fn navigated(&mut self, frame: &Told, session: &Session) {
        self.attached(&frame.id, frame.parent_id.clone(), session);
        if let Some(known) = self.table.get_mut(&frame.id) {
            known.url = frame.full_url();
            known.installed = None;
            known.load.loader = frame.loader_id.clone();
            (known.load.is_read, known.load.is_loaded) = (false, false);
            known.load.ended += 1;
        }
    }

    /// Changes what is known of the progress of a frame.
    pub(super) fn progress(&mut self, id: &FrameId, change: impl FnOnce(&mut FrameInfo)) {
        if let Some(known) = self.table.get_mut(id) {
            change(known);
        }
    }

    /// Worlds of scripts have ended in a process: one, or all of them.
    pub(super) fn worlds_ended(&mut self, of: &Session, context: Option<ExecutionContextId>) {
        for info in self.table.values_mut() {
            let same = |here: super::frames::Installed| {
                context.is_none_or(|context| here.context == context)
            };
            if info.session.id() == of.id() && info.installed.is_some_and(same) {
                info.installed = None;
            }
        }
    }

    /// A process has gone; frames that are still in it have gone with it.
    pub(super) fn session_ended(&mut self, session: &SessionId) {
        let of = |info: &FrameInfo| info.session.id() == Some(session);
        let gone = self.table.iter().filter(|(_, info)| of(info));
        for id in gone.map(|(id, _)| id.clone()).collect::<Vec<_>>() {
            self.removed(&id);
        }
    }

    /// Remembers where our script is.
    pub(super) fn installed(&mut self, id: &FrameId, of: &Session, installed: Installed) {
        if let Some(known) = self.table.get_mut(id)
            && known.session.id() == of.id()
        {
            known.installed = Some(installed);
        }
    }
}

impl FrameInfo {
    fn move_to(&mut self, session: &Session) {
        if self.session.id() != session.id() {
            self.session = session.clone();
            self.installed = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::native::conn::Connection;

    #[tokio::test]
    async fn a_frame_that_went_to_another_process_is_not_taken_back_by_an_older_tree() {
        let (ours, _browser) = tokio::io::duplex(64);
        let (reader, writer) = tokio::io::split(ours);
        let connection = Connection::over_pipe(reader, writer, std::future::pending());
        let session = |id: &str| connection.session(id.into(), Duration::from_secs(1));
        let (first, second) = (session("first"), session("second"));
        let frame = |id: &str, parent: Option<&str>| json!({ "id": id, "parentId": parent, "loaderId": "old", "url": "about:blank" });
        let tree = json!({
            "frame": frame("main", None),
            "childFrames": [
                { "frame": frame("gone", Some("main")) },
                { "frame": frame("here", Some("main")) },
            ],
        });
        let tree: FrameTree = serde_json::from_value(tree).unwrap();
        let mut frames = Frames::of(&tree, &first);
        frames.attached(&"gone".into(), None, &second);
        frames.progress(&"gone".into(), |info| info.load.loader = "new".into());
        frames.learn(&tree, &first);
        let told = |id: &str| {
            let info = frames.get(&id.into()).unwrap();
            (info.session.id().cloned(), info.load.loader.clone())
        };
        assert_eq!(told("gone"), (Some("second".into()), "new".into()));
        assert_eq!(told("here"), (Some("first".into()), "old".into()));
    }
}
