//! Analyses and transformations of automata.
//!
//! [`prepare`] takes what the front end made and gives what engines work on. Transformations are
//! functions over an [`xcfa::Xcfa`] and state as their law what they keep; analyses are types
//! with a constructor `of`, and go stale when the program is changed:
//!
//! | transformation | what it does |
//! | --- | --- |
//! | [`resolve`] | calls through pointers become branches |
//! | [`inline`] | calls become copies |
//! | [`propagate_constants`] | constants and copies |
//! | [`remove_dead_code`], [`contract_idle_edges`], [`remove_unused`] | what nobody needs |
//! | [`narrow_inputs`] | inputs that are only tested have two values |
//! | [`large_blocks`] | a shared operation with the local steps behind it is one step |
//! | [`unroll()`] | loops, recursion and threads are copied up to a bound: no cycles are left |
//! | [`cells()`] | memory objects become variables where that is exact |
//!
//! Analyses: [`PointsTo`], [`Alignment`], [`CallGraph`], [`Threads`], [`Sharing`], [`Accesses`], [`Locksets`],
//! [`Liveness`], [`Validity`], [`Loops`], and [`Facts`] as a summary.
//!
//! Nothing here runs a program or asks a solver: that is for the crates on top.

mod access;
mod bits;
mod calls;
mod cells;
mod constprop;
mod contract;
mod deadcode;
#[cfg(test)]
mod differential;
mod error;
mod escape;
mod facts;
mod foreign;
pub mod graph;
mod inline;
mod inputs;
mod lbe;
mod liveness;
mod locksets;
mod loops;
pub mod pointsto;
mod prepare;
mod resolve;
#[cfg(test)]
mod testing;
mod threads;
mod touch;
mod unroll;
mod unused;
mod valid;

pub use access::{Accesses, EdgeAccess, SharedCell};
pub use bits::BitSet;
pub use calls::CallGraph;
pub use cells::{Alignment, CellVar, Cells, InMemory, OnInvalid, Residue, cells};
pub use constprop::propagate_constants;
pub use contract::contract_idle_edges;
pub use deadcode::remove_dead_code;
pub use error::Unsupported;
pub use escape::{Sharing, escaped_objects, locations_before_threads};
pub use facts::Facts;
pub use foreign::foreign_access;
pub use inline::{MOST_EDGES, inline};
pub use inputs::narrow_inputs;
pub use lbe::large_blocks;
pub use liveness::Liveness;
pub use locksets::{HeldLock, Locksets};
pub use loops::{Loop, Loops};
pub use pointsto::PointsTo;
pub use prepare::{Options, prepare};
pub use resolve::resolve;
pub use threads::Threads;
pub use touch::{Place, Touch, touches};
pub use unroll::{Limits, Unrolled, unroll};
pub use unused::remove_unused;
pub use valid::Validity;
