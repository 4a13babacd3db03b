//! Waits until an element can be acted on, and finds where.

use std::time::Duration;

use serde_json::json;

use crate::native::deadline::Deadline;
use crate::native::input::Point;
use crate::native::page::{Element, ToolError, Verdict};

/// How long an element is waited for, as upstream does.
const PATIENCE: Duration = Duration::from_secs(5);
/// What is kept of the deadline for the action itself and for its answer.
const RESERVE: Duration = Duration::from_millis(500);

/// How long the frames around it are given to come to rest, in milliseconds. Some turn for ever.
const STILL: u64 = 1000;

/// How long the browser is given to route the mouse to a frame that has just come to its place. A
/// page that keeps all moves of the mouse to itself never lets us see one, and is clicked then as
/// its documents say.
const ARRIVAL: Duration = Duration::from_secs(2);

/// What a mouse needs of an element.
pub(super) const FOR_MOUSE: &[&str] = &["visible", "enabled", "stable", "receivesEvents"];
/// What a mouse needs that only passes over it.
pub(super) const FOR_HOVER: &[&str] = &["visible", "stable", "receivesEvents"];
/// What text needs.
pub(super) const FOR_TEXT: &[&str] = &["visible", "enabled", "editable"];
/// What a choice needs.
pub(super) const FOR_CHOICE: &[&str] = &["visible", "enabled"];

/// Waits until all of these hold at once.
pub(super) async fn wait(
    element: &Element,
    what: &str,
    states: &[&str],
    deadline: Deadline,
) -> Result<(), ToolError> {
    let patience = Patience::of(deadline);
    let verdict = patience.ready(element, states, deadline).await;
    let verdict = verdict.map_err(|error| error.during(what))?;
    patience.judge(what, verdict).map(drop)
}

/// Waits until all of these hold, and gives the place in the window where a mouse meets the
/// element: in its own frame, and in all that are around it.
pub(super) async fn point(
    element: &Element,
    what: &str,
    states: &[&str],
    deadline: Deadline,
) -> Result<Point, ToolError> {
    let aimed = aim(element, what, states, deadline).await;
    aimed.map_err(|error| error.during(what))
}

async fn aim(
    element: &Element,
    what: &str,
    states: &[&str],
    deadline: Deadline,
) -> Result<Point, ToolError> {
    let patience = Patience::of(deadline);
    let around = element.surroundings(deadline).await?;
    if !around.is_page() {
        element.bring_into_view(deadline).await?;
    }
    let (mut attempt, mut obstacle, mut arrival) = (0_u32, None, None);
    loop {
        let (verdict, ()) = tokio::try_join!(
            patience.ready(element, states, deadline),
            around.still(patience.left().min(STILL), deadline),
        )?;
        // That there was no time to look again says less than what was in the way before.
        let verdict = match obstacle.take() {
            Some(obstacle) if verdict.reason == "moving" => obstacle,
            _ => verdict,
        };
        let Verdict { x, y, .. } = patience.judge(what, verdict)?;
        match element.reach(&around, Point { x, y }, deadline).await? {
            Ok(spot) => {
                let is_met = !element.is_apart() || element.sees_mouse(spot, deadline).await?;
                let arrival = *arrival.get_or_insert_with(|| patience.for_arrival());
                if is_met || arrival.has_passed() {
                    return Ok(spot.on_page);
                }
                // It is where it should be: what is waited for is the next picture, not a scroll.
                continue;
            }
            Err(verdict) if patience.left() == 0 => patience.judge(what, verdict).map(drop)?,
            Err(verdict) => obstacle = Some(verdict),
        }
        // Scrolled to another edge, it may come out from under what is in the way.
        let _: () = element.ask("reveal", attempt, deadline).await?;
        attempt += 1;
    }
}

/// How long an element is waited for, in all attempts together.
struct Patience {
    whole: Duration,
    end: Deadline,
}

impl Patience {
    fn of(deadline: Deadline) -> Self {
        let whole = PATIENCE.min(deadline.left().saturating_sub(RESERVE));
        let end = Deadline::after(whole);
        Self { whole, end }
    }

    /// What is left of it, in milliseconds.
    fn left(&self) -> u64 {
        u64::try_from(self.end.left().as_millis()).unwrap_or(u64::MAX)
    }

    /// How long the mouse may take to arrive. It leaves time to look at the element once more.
    fn for_arrival(&self) -> Deadline {
        Deadline::after(ARRIVAL.min(self.end.left().saturating_sub(RESERVE)))
    }

    async fn ready(
        &self,
        element: &Element,
        states: &[&str],
        deadline: Deadline,
    ) -> Result<Verdict, ToolError> {
        let wanted = json!({ "states": states, "timeout": self.left() });
        element.ask("ready", wanted, deadline).await
    }

    /// An error for an element that is not as it must be.
    fn judge(&self, what: &str, verdict: Verdict) -> Result<Verdict, ToolError> {
        if verdict.ok {
            return Ok(verdict);
        }
        let hint = format!("{}. {}", capital(&verdict.message), advice(&verdict.reason));
        if matches!(verdict.reason.as_str(), "wrong" | "detached") {
            return Err(ToolError::Argument(hint));
        }
        Err(ToolError::Waited {
            what: what.to_owned(),
            after: self.whole,
            hint,
        })
    }
}

/// What to do about an element that is not ready.
fn advice(reason: &str) -> &'static str {
    match reason {
        "covered" => "Close or move what is in the way first, or act on that instead.",
        "disabled" => "Do first what makes the page enable it.",
        "readonly" => "Act on a field that can be changed.",
        "hidden" => "Do first what makes the page show it, or take a snapshot for another target.",
        "moving" => "Try again when it has come to rest.",
        "outside" => "Make the window larger with browser_resize, or scroll the page.",
        "wrong" => "Take a snapshot and use the ref of a field.",
        _ => "Take a new snapshot and use a ref from it.",
    }
}

fn capital(message: &str) -> String {
    let mut characters = message.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}
