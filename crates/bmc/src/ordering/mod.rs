//! The ordering encoding: which write each read sees, and an order of all events that fits.
//!
//! [`check`] turns a program without cycles into the constraints that its executions satisfy.
//!
//! Every thread is followed once through its acyclic automaton ([`walk`]): variables of its own
//! are terms, a read of a shared variable is a new unknown, and what is read and written becomes
//! events with path conditions as guards. Events that happen as one step share a *node*; an
//! execution is a set of nodes in some total order. [`resolve`] finds for each read the writes that
//! it can see and settles the reads that need no choice; [`emit`] hands the rest to the solver:
//! reads-from as literals, and the order of nodes as a theory.
//!
//! # What a model is
//! A thread goes on as long as its conditions hold and stops where none of them does; stopping is
//! always allowed, because a scheduler may forget a thread. So every prefix of a run, continued by
//! all threads as far as they get, is a model, and every model is such a run: what happens after
//! the error does no harm.

mod access;
mod check;
mod deadlock;
mod emit;
mod emitter;
mod events;
mod follow;
mod memory;
mod model;
mod race;
mod recheck;
mod regions;
mod resolve;
mod rewrite;
mod state;
mod statics;
mod step;
mod terms;
mod trace;
mod variables;
mod walk;
mod weak;

pub use check::check;
pub use emit::Formula;
pub use events::{Events, Goal, GoalKind, Taken, Touch};
pub use model::Model;
pub use passes::Unsupported;
pub use recheck::recheck;
pub use sat::order::Node;
pub use terms::TermFormula;

/// What is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// An error location of this kind.
    Error(xcfa::ErrorKind),
    /// A state in which a thread is blocked and no thread can move.
    Deadlock,
    /// A state in which two threads can access the same cell next, one of them writing.
    Race,
    /// No state: the caller asks about events.
    Events,
}

/// How threads see memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// In one order: the order of nodes is the order of all accesses.
    Sequential,
    /// As a memory model says: every access to memory that more than one thread may see is an event of its own, and
    /// none is left out. The order of nodes is program order, reads-from, and starting and joining threads.
    Weak,
}

/// Follows every thread of a program without cycles, and settles what needs no solver.
///
/// When the budget is used up it refuses to go on.
pub fn events(
    xcfa: &xcfa::Xcfa,
    checked: Checked,
    memory: Memory,
    budget: &verdict::Budget,
) -> Result<Events, Unsupported> {
    let mut events = walk::walk(xcfa, checked, memory, budget)?;
    let stopped = |_| Unsupported::at(xcfa[xcfa.main].span, "out of time or memory");
    resolve::resolve(&mut events, memory, budget).map_err(stopped)?;
    Ok(events)
}
