//! The questions for engines, and their answers.
//!
//! A [`Program`] and a property make a [`Task`]; a [`Verdict`] is an answer with its evidence. Every
//! *unsafe* goes through [`confirm`] before it is shown.

mod advice;
mod budget;
mod check;
mod confirm;
mod exact;
mod listener;
mod lost;
mod obstacles;
mod program;
mod reason;
mod refused;
mod shorten;
mod stats;
mod tainted;
mod task;
mod verdict;

pub use advice::Advice;
pub use budget::{Budget, resident_bytes};
pub use cfront::{Count, Environment, Harness};
pub use check::{Check, Objection};
pub use confirm::{Confirmed, confirm, not_followed, replayed};
pub use exact::not_exact;
pub use listener::Listener;
pub use models::Model as MemoryModel;
pub use program::{Preparation, Program};
pub use reason::{Bound, Reason};
pub use refused::Refused;
pub use semantics::{Lost, MemoryParts, Property, Trace, Violation};
pub use stats::{Stats, grouped};
pub use task::Task;
pub use verdict::{Answer, Proof, Verdict};
