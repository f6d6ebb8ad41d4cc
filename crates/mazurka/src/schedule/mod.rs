//! A counterexample for readers: one column for each thread, time goes down.
//!
//! [`rows()`] decides what is shown, [`draw`] puts it on a page of a given width. Neither knows
//! what a step means: the replay says that.

mod draw;
mod rows;

pub use draw::Page;
pub use rows::{Line, Mark, Row, rows, shorten_places};
