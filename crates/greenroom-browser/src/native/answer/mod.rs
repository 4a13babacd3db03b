//! What a tool answers, in the sections that agents know.
//!
//! A tool fills an [`Answer`]: results, code, files, whether the page is to be shown. `compose`
//! adds what the page itself has to say (where it stands, what blocks it, what has happened) and
//! makes a reply of it. The sections and their order are the upstream's, so that an agent cannot
//! tell the engines apart; but snapshots and console messages are part of the text, for there are
//! no files to link to.

mod compose;
mod draft;
mod filename;
mod happened;
mod header;
mod standing;
mod text;

pub(crate) use compose::compose;
pub(crate) use draft::{Answer, Shown};
pub(crate) use filename::name_or;
pub(crate) use header::{Headers, list_tabs};
