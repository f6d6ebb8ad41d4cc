//! Analyses and transformations of automata.

mod bits;
mod calls;
mod constprop;
mod error;
pub mod graph;
mod inline;
mod liveness;
pub mod pointsto;
mod resolve;
#[cfg(test)]
mod testing;

pub use bits::BitSet;
pub use calls::CallGraph;
pub use constprop::propagate_constants;
pub use error::Unsupported;
pub use inline::{MOST_EDGES, inline};
pub use liveness::Liveness;
pub use pointsto::PointsTo;
pub use resolve::resolve;
