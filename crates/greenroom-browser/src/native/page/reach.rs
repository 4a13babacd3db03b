//! How an element is reached from the page: through the frames around it.

use futures_util::future::try_join_all;
use serde::Deserialize;
use serde_json::json;

use super::Element;
use super::error::ToolError;
use super::geometry::{self, Way};
use crate::native::deadline::Deadline;
use crate::native::input::Point;
use crate::native::protocol::dom::ScrollIntoViewIfNeeded;
use crate::native::protocol::page::Rect;

/// How often a place is measured again because it has moved meanwhile.
const LOOKS: usize = 10;

/// What our script says of an element that is to be acted on.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Verdict {
    /// Whether it can be.
    pub(crate) ok: bool,
    /// Why not, in a word.
    pub(crate) reason: String,
    /// Why not, for whoever asked.
    pub(crate) message: String,
    /// Where in its frame.
    pub(crate) x: f64,
    /// Where in its frame.
    pub(crate) y: f64,
}

/// A point of an element, as a click sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot {
    /// In the element's own frame.
    pub(super) inside: Point,
    /// How many of that frame's pixels one of the page's is there.
    pub(super) grain: f64,
    /// From the upper left of what the window shows.
    pub(crate) on_page: Point,
}

/// The frames around an element, by the elements that hold them.
#[derive(Debug)]
pub(crate) struct Surroundings(Vec<Element>);

impl Element {
    /// The frames around it.
    pub(crate) async fn surroundings(&self, deadline: Deadline) -> Result<Surroundings, ToolError> {
        let owners = geometry::owners(&self.frame, deadline).await?;
        Ok(Surroundings(owners))
    }

    /// Where a click must go to meet a point of the element's frame, or why it does not get there.
    pub(crate) async fn reach(
        &self,
        around: &Surroundings,
        point: Point,
        deadline: Deadline,
    ) -> Result<Result<Spot, Verdict>, ToolError> {
        let owners = &around.0;
        let way = match Way::from(&self.page, &self.frame, owners, deadline).await {
            Err(ToolError::FrameHidden) => return Ok(Err(hidden())),
            way => way?,
        };
        // From outside, because that is where a click comes from.
        for (owner, at) in owners.iter().zip(way.points(point)).rev() {
            let at = json!({ "x": at.x, "y": at.y });
            let passes: Verdict = owner.ask("passes", at, deadline).await?;
            if !passes.ok {
                return Ok(Err(passes));
            }
        }
        Ok(Ok(Spot {
            inside: point,
            grain: way.grain(point),
            on_page: way.on_page(point),
        }))
    }

    /// Brings it into view, through all frames. A page draws frames that are out of view rarely or
    /// not at all, and what is to be waited for in them would come late.
    pub(crate) async fn bring_into_view(&self, deadline: Deadline) -> Result<(), ToolError> {
        let scroll = ScrollIntoViewIfNeeded {
            object_id: Some(self.object_id.clone()),
            ..ScrollIntoViewIfNeeded::default()
        };
        match self.session.call_within(deadline.left(), scroll).await {
            // What has no box yet is waited for, and scrolled to then.
            Err(error) if error.refused_with("does not have a layout object") => Ok(()),
            Err(error) if error.refused_with("is detached from document") => Ok(()),
            Err(error) => Err(self.frame.explain(error, "scrolling")),
            Ok(_) => Ok(()),
        }
    }

    /// Where a rectangle of the element's frame is, from the upper left of what the window shows.
    /// One that is turned is told by the upright rectangle around it.
    pub(crate) async fn area(&self, inside: Rect, deadline: Deadline) -> Result<Rect, ToolError> {
        let owners = geometry::owners(&self.frame, deadline).await?;
        let mut way = Way::from(&self.page, &self.frame, &owners, deadline).await?;
        // What was scrolled in a frame's process reaches the frames around it a little later.
        for _ in 0..LOOKS {
            if owners.is_empty() {
                break;
            }
            Surroundings::drawn(&owners, deadline).await?;
            let before = way;
            way = Way::from(&self.page, &self.frame, &owners, deadline).await?;
            if way == before {
                break;
            }
        }
        Ok(around(&way, inside))
    }
}

impl Surroundings {
    /// Whether there is any frame but the page itself.
    pub(crate) fn is_page(&self) -> bool {
        self.0.is_empty()
    }

    /// Waits until the frames stand still, so long at most. Those that do not are judged as they
    /// are, when it comes to a click.
    pub(crate) async fn still(&self, timeout_ms: u64, deadline: Deadline) -> Result<(), ToolError> {
        let wanted = json!({ "states": ["stable"], "timeout": timeout_ms });
        let asked = self.0.iter();
        let asked = asked.map(|owner| owner.ask::<Verdict>("ready", &wanted, deadline));
        try_join_all(asked).await.map(drop)
    }

    /// Waits until each of these frames' holders has been drawn once more.
    async fn drawn(owners: &[Element], deadline: Deadline) -> Result<(), ToolError> {
        let asked = owners.iter();
        let asked = asked.map(|owner| owner.ask::<()>("drawn", (), deadline));
        try_join_all(asked).await.map(drop)
    }
}

fn hidden() -> Verdict {
    Verdict {
        reason: "hidden".to_owned(),
        message: "the frame that holds the element is not visible".to_owned(),
        ..Verdict::default()
    }
}

/// The upright rectangle around what becomes of one in a frame.
fn around(way: &Way, inside: Rect) -> Rect {
    let (right, bottom) = (inside.x + inside.width, inside.y + inside.height);
    let corners = [
        (inside.x, inside.y),
        (right, inside.y),
        (right, bottom),
        (inside.x, bottom),
    ];
    let corners = corners.map(|(x, y)| way.on_page(Point { x, y }));
    let least = |of: fn(&Point) -> f64| corners.iter().map(of).fold(f64::INFINITY, f64::min);
    let most = |of: fn(&Point) -> f64| corners.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    let (x, y) = (least(|at| at.x), least(|at| at.y));
    Rect {
        x,
        y,
        width: most(|at| at.x) - x,
        height: most(|at| at.y) - y,
    }
}
