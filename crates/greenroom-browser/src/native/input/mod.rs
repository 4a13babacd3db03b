//! Hands: real input at one page, as its keyboard and mouse would give it.
//!
//! # Theory of operation
//! Everything that a hand does is a list of [`Act`]s: a key that goes down, a mouse that moves. A
//! list goes out at once, in its order, and is done when the page has handled all of it. Waiting
//! for each act in turn would cost a frame of the page for every one, and would leave a button
//! pressed in the middle of a click if the page stopped answering there.
//!
//! [`Input`] belongs to a page and remembers what a hand would: where the mouse is, which buttons
//! and keys are down. It speaks to the session of the page itself, also for frames in processes of
//! their own: the browser finds the frame under the mouse or with the focus, as it does for a
//! person.
//!
//! # Dialogs
//! A page that shows a dialog answers nothing until the dialog is gone, and the dialog may well be
//! what the act was meant to open. So each list is given up, not waited for, when a dialog opens
//! ([`Halt::Dialog`]); what went out before reaches the page when it goes on.

mod chord;
mod drag;
mod hands;
mod keyboard;
mod layout;
mod mouse;
mod names;
mod typing;

pub use chord::{Chord, UnknownKey};
pub use hands::{Act, Halt, Input};
pub use keyboard::Modifier;
pub use layout::Key;
pub use mouse::{Button, Clicks, Point};
