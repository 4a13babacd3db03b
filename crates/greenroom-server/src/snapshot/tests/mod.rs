//! Tests over real snapshots, over what no page would say, and over queries meant to do harm.
//!
//! A fixture `x.txt` is what the upstream wrote for a page, and `x.json` what it says about the
//! same page in JSON.

mod bounds;
mod errors;
mod items;
mod lines;
mod outlines;
mod printer;
mod properties;
mod queries;
mod same_as_the_crate;
mod samples;
mod shapes;

/// Forms: fields, states, placeholders, values.
const FORMS: &str = include_str!("../fixtures/forms.txt");
/// Landmarks, lists, a table, text between elements.
const TABLE: &str = include_str!("../fixtures/table.txt");
/// Frames in frames, a dialog, a tree.
const FRAMES: &str = include_str!("../fixtures/frames.txt");
/// Names and texts full of what the dialect has to quote.
const ODD: &str = include_str!("../fixtures/odd.txt");
