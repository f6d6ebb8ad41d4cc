//! Analyses and transformations of automata.

mod bits;
mod calls;
mod constprop;
mod contract;
mod deadcode;
mod error;
mod escape;
pub mod graph;
mod inline;
mod lbe;
mod liveness;
mod loops;
pub mod pointsto;
mod resolve;
#[cfg(test)]
mod testing;
mod threads;
mod touch;
mod unused;
mod valid;

pub use bits::BitSet;
pub use calls::CallGraph;
pub use constprop::propagate_constants;
pub use contract::contract_idle_edges;
pub use deadcode::remove_dead_code;
pub use error::Unsupported;
pub use escape::Sharing;
pub use inline::{MOST_EDGES, inline};
pub use lbe::large_blocks;
pub use liveness::Liveness;
pub use loops::{Loop, Loops};
pub use pointsto::PointsTo;
pub use resolve::resolve;
pub use threads::Threads;
pub use touch::{Place, Touch, touches};
pub use unused::remove_unused;
pub use valid::Validity;
