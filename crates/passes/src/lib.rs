//! Analyses and transformations of automata.

mod bits;
mod calls;
mod error;
pub mod graph;
mod inline;
pub mod pointsto;
mod resolve;
#[cfg(test)]
mod testing;

pub use bits::BitSet;
pub use calls::CallGraph;
pub use error::Unsupported;
pub use inline::{MOST_EDGES, inline};
pub use pointsto::PointsTo;
pub use resolve::resolve;
