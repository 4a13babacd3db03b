//! An element of a page, at hand for one tool.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::ToolError;
use super::frame::{Asked, Frame, read, unwrap};
use super::{Page, content};
use crate::native::conn::Session;
use crate::native::deadline::Deadline;
use crate::native::protocol::ObjectId;
use crate::native::protocol::dom::{DescribeNode, ResolveNode};
use crate::native::protocol::runtime::ReleaseObjectGroup;

/// The browser keeps elements for us under this name until they are let go.
pub(super) const ELEMENTS: &str = "greenroom-elements";

/// An element. It is let go with all others when the tool is done.
#[derive(Debug, Clone)]
pub struct Element {
    /// The tab that it is in.
    pub page: Page,
    /// The frame that it is in.
    pub frame: Frame,
    /// Where commands for it go.
    pub session: Session,
    /// The element in our isolated world.
    pub object_id: ObjectId,
}

/// An element as an agent and a test would name it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Description {
    /// The name of its tag.
    pub tag: String,
    /// Its role.
    pub role: String,
    /// Its accessible name; empty if it has none.
    pub name: String,
    /// Its ref, if a snapshot gave it one.
    #[serde(rename = "ref")]
    pub reference: Option<String>,
    /// The locator that finds it, to be put after `page.`.
    pub locator: String,
}

impl Element {
    /// Asks our script about it: `greenroom.<function>(element, arguments)`.
    pub async fn ask<T: DeserializeOwned>(
        &self,
        function: &str,
        arguments: impl Serialize,
        deadline: Deadline,
    ) -> Result<T, ToolError> {
        let mut command = Asked::of_element(function, arguments)?.command();
        command.object_id = Some(self.object_id.clone());
        // What a person could do by hand may need the right to do it, such as to play a sound.
        command.user_gesture = Some(true);
        let asked = self.session.call_within(deadline.left(), command).await;
        let evaluated = match asked {
            Ok(evaluated) => evaluated,
            Err(error) => {
                // Whether the frame went elsewhere or away is told by events that may be on their way.
                self.page.catch_up(deadline).await;
                return Err(self.frame.explain(error, "the tool"));
            }
        };
        read(&unwrap(evaluated)?, function)
    }

    /// How an agent and a test would name it, with the way through frames.
    pub async fn describe(&self, deadline: Deadline) -> Result<Description, ToolError> {
        let mut described: Description = self.ask("describe", (), deadline).await?;
        let mut frame = self.frame.clone();
        while let Some(owner) = content::owner_of(&frame, deadline).await? {
            let holder: Description = owner.ask("describe", (), deadline).await?;
            described.locator = format!("{}.contentFrame().{}", holder.locator, described.locator);
            frame = owner.frame;
        }
        Ok(described)
    }

    /// The same element in the page's own world, for code that must see the page's variables.
    pub async fn main_world_object(&self, deadline: Deadline) -> Result<ObjectId, ToolError> {
        let node = DescribeNode {
            object_id: Some(self.object_id.clone()),
            ..DescribeNode::default()
        };
        let node = self.session.call_within(deadline.left(), node).await;
        let node = node.map_err(|error| self.frame.explain(error, "the code"))?;
        let resolve = ResolveNode {
            backend_node_id: Some(node.node.backend_node_id),
            object_group: Some(ELEMENTS.to_owned()),
            ..ResolveNode::default()
        };
        let resolved = self.session.call_within(deadline.left(), resolve).await;
        let resolved = resolved.map_err(|error| self.frame.explain(error, "the code"))?;
        resolved.object.object_id.ok_or(ToolError::FrameGone)
    }
}

impl Page {
    /// Lets go of all elements that a tool had at hand. Nobody waits for it.
    pub(crate) fn release_elements(&self) {
        for session in self.read(|books| books.frames.sessions()) {
            tokio::spawn(async move {
                let release = ReleaseObjectGroup {
                    object_group: ELEMENTS.to_owned(),
                };
                // A page that has gone has let go of everything.
                let _ = session.call(release).await;
            });
        }
    }
}
