//! Waiting for what an action has set in motion, and for nothing else.
//!
//! # Theory of operation
//! Before an action a mark is made: how many navigations and requests there have been. After it,
//! everything beyond the mark is taken for the action's own. A navigation is waited for until its
//! document has loaded; else requests are, until their answers are here. When nothing was set in
//! motion nothing is waited for but one frame, in which the page draws what it has changed.
//!
//! A page may ask for something all the time, such as for news that come late. What it was waiting
//! for at the mark it may ask for again without that being the action's doing, so such requests are
//! left out.
//!
//! All waits are bounded, and end when they are over: there is no pause of a fixed length. What a
//! page does by timers later is not the action's, and whoever needs it waits for it by name
//! (`browser_wait_for`).

mod watch;

pub(crate) use watch::{Effect, Settle};
