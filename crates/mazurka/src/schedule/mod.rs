//! A counterexample as a person reads it: one column for each thread, time goes down.
//!
//! [`rows`] decides what is shown, [`draw`] puts it on a page of a given width. Neither knows
//! what a step means: that is told by the replay.

mod draw;
mod rows;

pub use draw::Page;
pub use rows::{Line, Mark, Row, rows, shorten_places};
