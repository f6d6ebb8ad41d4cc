//! Transformations of automata.
//!
//! [`prepare`] takes what the front end made and gives what engines work on. A transformation is a
//! function over an [`xcfa::Xcfa`] and states as its law what it keeps:
//!
//! | transformation | what it does |
//! | --- | --- |
//! | [`resolve`] | calls through pointers become branches |
//! | [`inline`] | calls become copies |
//! | [`propagate_constants`] | constants and copies |
//! | [`remove_dead_code`], [`contract_idle_edges`], [`remove_unused`] | what is not needed |
//! | [`narrow_inputs`] | inputs that are only tested have two values |
//! | [`remove_relocks`] | the answer `EDEADLK` goes where no thread can get it |
//! | [`large_blocks`] | a shared operation with the local steps behind it is one step |
//! | [`unroll()`] | loops, recursion and threads are copied up to a bound: no cycles are left |
//! | [`follow_models`] | loops of the library's models that constants decide are copied round by round |
//! | [`promote()`] | objects on the stack that only whole accesses use become variables |
//! | [`cells()`] | memory objects become variables where that is exact |
//!
//! What they need to know of a program comes from the analyses of `dataflow`. Nothing here runs a
//! program or asks a solver: that is for the crates on top.

mod arrays;
mod cells;
mod constprop;
mod contract;
mod deadcode;
#[cfg(test)]
mod differential;
mod follow;
mod inline;
mod inputs;
mod joins;
mod lbe;
mod prepare;
mod promote;
mod relock;
mod resolve;
mod unroll;
mod unused;

pub use cells::{CellVar, Cells, InMemory, OnInvalid, cells, cells_for};
pub use constprop::propagate_constants;
pub use contract::contract_idle_edges;
pub use deadcode::remove_dead_code;
pub use follow::follow_models;
pub use inline::{MOST_EDGES, inline};
pub use inputs::narrow_inputs;
pub use lbe::large_blocks;
pub use prepare::{Options, prepare};
pub use promote::{promote, promote_for_models};
pub use relock::remove_relocks;
pub use resolve::resolve;
pub use unroll::{Limits, Unrolled, unroll};
pub use unused::remove_unused;
pub use xcfa::Unsupported;
