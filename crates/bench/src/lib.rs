//! Whole suites of verification tasks: reading their definitions, running them, and the tables.
//!
//! A [`Suite`] is what the task files of folders and sets ask for, one [`Run`] a task and property.
//! A [`Config`] is a tool with its options: this verifier, or a [`Peer`]. The [`Runner`] runs each
//! [`Job`] in a child process under limits of time and memory, and returns a [`Record`] as soon as
//! one ends; [`Slurm`] does the same on a cluster. [`Results`] lays records side by side, for a
//! [`Table`] or a [`page`]; [`json`] and [`xml`] are for other programs.
//!
//! Nothing here reads arguments or draws on a terminal, and nothing here verifies anything: the
//! children do.

mod config;
mod csv;
mod expect;
mod export;
mod figure;
mod judge;
mod page;
mod peer;
mod record;
mod record_file;
mod results;
mod runner;
mod score;
mod set_file;
mod slurm;
mod suite;
mod table;
mod task_file;
mod xml;

pub use config::{Config, Tool, words};
pub use expect::{Expectation, Expectations};
pub use export::{About, json};
pub use figure::Figure;
pub use page::{page, quantile};
pub use peer::{Peer, Peers};
pub use process::{Cgroups, Ended, Limits, Usage};
pub use record::{Record, Status};
pub use record_file::{RecordError, RecordFile, read};
pub use results::{Cell, Results, Row};
pub use runner::{Event, Job, Runner, jobs};
pub use score::Counts;
pub use set_file::SetError;
pub use slurm::{Slurm, SlurmError};
pub use suite::{Run, Suite, SuiteError};
pub use table::Table;
pub use task_file::{Expected, TaskError, TaskFile};
pub use xml::xml;
