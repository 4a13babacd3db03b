//! One script, two engines: what a page shows after every step, and what the agent is told, must
//! be the same whether Chromium is driven natively or by the pinned upstream.
//!
//! A script is a list of [`Step`]s. [`Ground`] runs each step in a pool of either engine, takes a
//! [digest](look) of both pages and holds the pages and the answers against each other. What may
//! differ is listed with its reason in [`alike`]; everything else is equality.
#![allow(clippy::unwrap_used, missing_docs)]

mod alike;
mod attachments;
mod dialogs;
mod errors;
mod files;
mod forms;
mod frames;
mod ground;
mod keyboard;
mod look;
mod looking;
mod media;
mod mouse;
mod pages;
mod pictures;
mod step;
mod storage;
mod tabs;
mod whole_catalogue;

use ground::Ground;
use step::{Scene, Step, step};

/// Every script there is, so that [`whole_catalogue`] can tell what none of them uses.
const SCRIPTS: &[fn(&Scene) -> Vec<Step>] = &[
    dialogs::script,
    errors::script,
    files::script,
    forms::script,
    frames::script,
    keyboard::script,
    looking::script,
    media::script,
    mouse::script,
    pictures::script,
    storage::script,
    tabs::script,
];
