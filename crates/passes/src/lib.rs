//! Analyses and transformations of automata.

mod bits;
mod error;
pub mod pointsto;
#[cfg(test)]
mod testing;

pub use bits::BitSet;
pub use error::Unsupported;
pub use pointsto::PointsTo;
