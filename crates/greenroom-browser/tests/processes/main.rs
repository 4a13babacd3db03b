//! Process trees: started, watched, ended and swept, with real programs.
#![allow(clippy::unwrap_used, missing_docs)]

mod collecting;
mod cycles;
mod last_words;
mod leftovers;
mod pid_one;
mod real_browser;
mod starting;
mod stopping;
#[path = "../support/mod.rs"]
mod support;
mod sweep;
