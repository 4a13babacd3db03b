//! The few questions about elements that scripts cannot answer.

use serde::{Deserialize, Serialize};

use super::runtime::{ExecutionContextId, RemoteObject};
use super::{Command, Done, FrameId, ObjectId};

/// An element, by a number that holds in all worlds of a page's process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BackendNodeId(pub i64);

/// Four corners: x and y of each, clockwise from the upper left.
pub type Quad = Vec<f64>;

command! {
    /// Asks for the events of this domain.
    Enable = "DOM.enable" -> Done {}

    /// Puts files into an input. The paths are the browser's own.
    SetFileInputFiles = "DOM.setFileInputFiles" -> Done { files: Vec<String> } {
        backend_node_id: BackendNodeId,
        object_id: ObjectId,
    }

    /// An element as an object of a world.
    ResolveNode = "DOM.resolveNode" -> Resolved {} {
        backend_node_id: BackendNodeId,
        object_group: String,
        execution_context_id: ExecutionContextId,
    }

    /// What an element is; for one that holds a frame, which frame.
    DescribeNode = "DOM.describeNode" -> Described {} {
        backend_node_id: BackendNodeId,
        object_id: ObjectId,
        depth: i64,
        pierce: bool,
    }

    /// Where an element is drawn: one quad for each of its boxes.
    GetContentQuads = "DOM.getContentQuads" -> ContentQuads {} {
        backend_node_id: BackendNodeId,
        object_id: ObjectId,
    }

    /// The boxes of an element.
    GetBoxModel = "DOM.getBoxModel" -> BoxModelReply {} {
        backend_node_id: BackendNodeId,
        object_id: ObjectId,
    }

    /// The element that holds a frame.
    GetFrameOwner = "DOM.getFrameOwner" -> FrameOwner { frame_id: FrameId }

    /// Scrolls until an element is seen.
    ScrollIntoViewIfNeeded = "DOM.scrollIntoViewIfNeeded" -> Done {} {
        backend_node_id: BackendNodeId,
        object_id: ObjectId,
    }

    /// Gives an element the focus.
    Focus = "DOM.focus" -> Done {} { backend_node_id: BackendNodeId, object_id: ObjectId }
}

received! {
    /// An element as an object of a world.
    Resolved { object: RemoteObject }
    /// What an element is.
    Described { node: Node }
    /// An element.
    Node {
        backend_node_id: BackendNodeId,
        node_name: String,
        /// The frame that it holds.
        frame_id: Option<FrameId>,
    }
    /// Where an element is drawn.
    ContentQuads { quads: Vec<Quad> }
    /// The boxes of an element.
    BoxModelReply { model: BoxModel }
    /// The boxes of an element.
    BoxModel { content: Quad, padding: Quad, border: Quad, margin: Quad, width: i64, height: i64 }
    /// The element that holds a frame.
    FrameOwner { backend_node_id: BackendNodeId }
}
