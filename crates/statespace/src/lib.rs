//! Concrete states of a program, for every search over them.
//!
//! [`expand`] takes every step from a state, with the values that [`Inputs`] offers for each
//! question; [`Codec`] turns what matters of a state into a short key; [`find_race`] finds data races.
//! [`Graph`] does all three for searches that keep every state, and much faster: it has the machine take a step once
//! for everything that the step depends on, and looks it up from then on.
//!
//! It deliberately has no order of search and no reduction: these are what an engine is.

mod blobs;
mod choices;
mod codec;
mod column;
mod column_set;
mod expand;
mod graph;
mod inputs;
mod learn;
mod packing;
mod race;
mod random;
mod rows;
mod scratch;
mod store;
mod tables;
mod texts;

pub use codec::Codec;
pub use expand::{ExpansionSummary, Next, expand, expand_threads};
pub use graph::{Expansion, Graph, Successor};
pub use inputs::Inputs;
pub use race::find as find_race;
pub use random::Random;
pub use scratch::Scratch;
pub use store::StateId;
