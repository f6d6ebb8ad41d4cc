//! Memory models: which executions of a program are possible.
//!
//! An execution is a [`Graph`]: the events of its threads, where every read takes its value from, and the
//! order of the writes to each location. A [`Model`] is a text in a part of the language CAT that says
//! which graphs are possible. [`Model::judge`] evaluates it, relation by relation, and names the axiom that
//! an impossible graph breaks, and the cycle that breaks it.
//!
//! This crate is trusted: it decides whether an execution under a weak memory model counts. It knows
//! nothing of programs, and searches for nothing. Accesses of mixed sizes and `consume` are not modelled.

mod base;
mod cat;
mod event;
mod graph;
mod model;
mod relation;

pub use cat::{CatError, Fact, Step};
pub use event::{Access, Action, Event, EventId, Location};
pub use graph::{Graph, Malformed};
pub use model::{Finding, Judgement, Model};
pub use relation::{EventSet, Relation};
pub use xcfa::MemoryOrder;
