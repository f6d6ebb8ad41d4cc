//! The experiments of five papers again: every table and figure that the engines can repeat, beside
//! the figures that the papers give.
//!
//! An [`Experiment`] says what is measured, as a list of [`Cell`]s, and how the [`Results`] are shown,
//! as [`Part`]s: tables in Markdown, pictures as SVG. The [`Runner`] runs the cells, each in a process
//! of its own. What the papers print is in `data/`; nothing of our own results is written down here.
//!
//! Nothing here reads arguments or draws on a terminal, and the caller reads the programs.

mod account;
mod cell;
mod five;
mod four;
mod machine;
mod one;
mod page;
mod paper;
mod part;
mod program;
mod published;
mod results;
mod run;
mod subjects;
mod summary;
mod table;
mod three;
mod two;

pub use account::account;
pub use cell::{Cell, Id, RunResult, Seen, Work};
pub use five::Five;
pub use four::Four;
pub use machine::machine;
pub use one::One;
pub use page::filled;
pub use paper::{Experiment, PAPERS, Paper, Settings};
pub use part::Part;
pub use program::{Program, Reader};
pub use published::Published;
pub use results::{Head, Record, Results};
pub use run::Runner;
pub use three::Three;
pub use two::Two;
