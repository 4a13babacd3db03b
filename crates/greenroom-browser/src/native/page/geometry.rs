//! Where frames are on the page.
//!
//! Our script measures within its frame; input events and pictures count on the page as a whole.
//! The browser tells where the box of a frame's element is, seen from the outermost frame of the
//! same process. From these boxes come the mappings from each frame to the one that holds it.

use futures_util::future::try_join_all;
use serde::Deserialize;

use super::content::owner_of;
use super::error::ToolError;
use super::frame::Frame;
use super::mapping::Mapping;
use super::{Element, Page};
use crate::native::deadline::Deadline;
use crate::native::input::Point;
use crate::native::protocol::dom::GetBoxModel;

/// What a frame shows of its document: how much, for the main frame which part of that a pinch has
/// made larger, and how many of the screen's pixels one of its own is.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(super) struct View {
    width: f64,
    height: f64,
    left: f64,
    top: f64,
    ratio: f64,
}

/// The elements that hold a frame: its own first, that in the main frame last.
pub(super) async fn owners(frame: &Frame, deadline: Deadline) -> Result<Vec<Element>, ToolError> {
    let mut owners: Vec<Element> = Vec::new();
    let mut frame = frame.clone();
    while let Some(owner) = owner_of(&frame, deadline).await? {
        frame = owner.frame.clone();
        owners.push(owner);
    }
    Ok(owners)
}

/// The way from a frame to the page, as it is now.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Way {
    /// From each frame to the one that holds it, in the order of the owners.
    hops: Vec<Mapping>,
    main: View,
}

impl Way {
    /// Measures the way from a frame that has these owners.
    pub(super) async fn from(
        page: &Page,
        frame: &Frame,
        owners: &[Element],
        deadline: Deadline,
    ) -> Result<Self, ToolError> {
        let main: View = page.ask("view", (), deadline).await?;
        let inner = std::iter::once(frame).chain(owners.iter().map(|owner| &owner.frame));
        let boxes = inner.zip(owners);
        let boxes = boxes.map(|(frame, owner)| Inset::measure(frame, owner, deadline));
        let boxes = try_join_all(boxes).await?;
        let hops = hops(main, &boxes).ok_or(ToolError::FrameHidden)?;
        Ok(Self { hops, main })
    }

    /// A point of the frame as each of the frames around it has it, up to the main frame.
    pub(super) fn points(&self, point: Point) -> Vec<Point> {
        let mut at = point;
        let hops = self.hops.iter();
        hops.map(|hop| {
            at = hop.at(at);
            at
        })
        .collect()
    }

    /// A point of the frame as seen from the upper left of what the window shows, in the page's
    /// own pixels: so input events and pictures count, whatever a pinch has made of them.
    pub(super) fn on_page(&self, point: Point) -> Point {
        let Point { x, y } = self.points(point).last().copied().unwrap_or(point);
        Point {
            x: x - self.main.left,
            y: y - self.main.top,
        }
    }

    /// How many of the frame's pixels one of the page's is at this point, along the axis of the
    /// frame that is drawn smallest.
    pub(super) fn grain(&self, point: Point) -> f64 {
        let here = self.on_page(point);
        let step = |x: f64, y: f64| {
            let next = self.on_page(Point {
                x: point.x + x,
                y: point.y + y,
            });
            (next.x - here.x).hypot(next.y - here.y)
        };
        1.0 / step(1.0, 0.0).min(step(0.0, 1.0))
    }
}

/// A frame in the document around it.
struct Inset {
    view: View,
    /// Where its corners are, seen from the outermost frame of its owner's process.
    corners: Vec<f64>,
    /// Whether it is in that process itself.
    is_same_process: bool,
}

impl Inset {
    async fn measure(
        frame: &Frame,
        owner: &Element,
        deadline: Deadline,
    ) -> Result<Self, ToolError> {
        let model = GetBoxModel {
            object_id: Some(owner.object_id.clone()),
            ..GetBoxModel::default()
        };
        let model = owner.session.call_within(deadline.left(), model).await;
        let model = model.map_err(|error| {
            if error.refused_with("Could not compute box model") {
                return ToolError::FrameHidden;
            }
            owner.frame.explain(error, "the look at it")
        })?;
        Ok(Self {
            view: frame.ask("view", (), deadline).await?,
            corners: model.model.content,
            is_same_process: frame.info()?.session.id() == owner.session.id(),
        })
    }
}

/// The mappings from each frame to the one around it, in the order of the frames, innermost first.
/// None if one of them is flat.
fn hops(main: View, insets: &[Inset]) -> Option<Vec<Mapping>> {
    let mut hops = Vec::new();
    let (mut around, mut outermost) = (main, main);
    // For the page, the browser counts from the part that a pinch has made larger.
    let mut laid = Mapping::moving(-main.left, -main.top);
    for Inset {
        view,
        corners,
        is_same_process,
    } in insets.iter().rev()
    {
        // It also counts in the pixels of the document that holds the frame, which CSS may have
        // zoomed against the outermost one.
        let zoom = around.ratio / outermost.ratio;
        let corners: Vec<f64> = corners.iter().map(|corner| corner * zoom).collect();
        let next = Mapping::onto(view.width, view.height, &corners)?;
        hops.push(next.then(laid.inverse()?));
        around = *view;
        if *is_same_process {
            laid = next;
        } else {
            (laid, outermost) = (Mapping::moving(0.0, 0.0), *view);
        }
    }
    hops.reverse();
    Some(hops)
}
