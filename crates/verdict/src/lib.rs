//! What an engine is asked and what it answers.
//!
//! A [`Task`] is a program and a property; a [`Verdict`] is an answer with its evidence. Every
//! *unsafe* goes through [`confirm`] before anybody sees it.

mod budget;
mod confirm;
mod listener;
mod stats;
mod task;
mod verdict;

pub use budget::{Budget, resident_bytes};
pub use confirm::confirm;
pub use listener::Listener;
pub use semantics::{Property, Trace, Violation};
pub use stats::Stats;
pub use task::Task;
pub use verdict::{Answer, Proof, Reason, Verdict};
