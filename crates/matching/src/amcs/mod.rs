//! AMCS: matching by predicates that come from weakest preconditions (Algorithms 1 and 2).
//!
//! A step is precise if all states that match the one it starts from take it too, and get to
//! states that match. A solver decides; where it cannot, the conditions of the step and the
//! weakest preconditions of the predicates behind it become predicates. If all steps are precise, the
//! abstract states are closed under steps and the search has seen all of them.

mod effect;
mod phi;
mod search;

pub use search::{Amcs, Variant};
