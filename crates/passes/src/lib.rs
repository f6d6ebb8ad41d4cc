//! Analyses and transformations of automata.

mod bits;
mod calls;
mod constprop;
mod contract;
mod deadcode;
mod error;
pub mod graph;
mod inline;
mod liveness;
mod loops;
pub mod pointsto;
mod resolve;
#[cfg(test)]
mod testing;
mod threads;
mod unused;
mod valid;

pub use bits::BitSet;
pub use calls::CallGraph;
pub use constprop::propagate_constants;
pub use contract::contract_idle_edges;
pub use deadcode::remove_dead_code;
pub use error::Unsupported;
pub use inline::{MOST_EDGES, inline};
pub use liveness::Liveness;
pub use loops::{Loop, Loops};
pub use pointsto::PointsTo;
pub use resolve::resolve;
pub use threads::Threads;
pub use unused::remove_unused;
pub use valid::Validity;
