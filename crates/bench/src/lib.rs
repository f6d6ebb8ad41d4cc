//! Whole suites of verification tasks: reading their definitions, running them, and the tables.
//!
//! A [`Suite`] is what the task files below a folder ask for, one [`Run`] a task and property.
//! The [`Runner`] runs each in a child process under limits of time and memory, and gives a
//! [`Record`] back as soon as one ends. A [`Table`] counts records by family.
//!
//! Nothing here reads arguments or draws on a terminal, and nothing here verifies anything: the
//! children do.

mod csv;
mod judge;
mod record;
mod runner;
mod suite;
mod table;
mod task_file;

pub use process::{Ended, Limits, Usage};
pub use record::{Record, RecordError, RecordFile, Status};
pub use runner::{Event, Runner};
pub use suite::{Run, Suite};
pub use table::Table;
pub use task_file::{Expected, TaskError, TaskFile};
