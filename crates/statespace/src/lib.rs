//! Concrete states of a program, for every search over them.
//!
//! [`expand`] takes every step from a state, with the values that [`Inputs`] offers for each
//! question; [`Codec`] turns what matters of a state into a short key, and
//! [`Graph`] remembers how each state was reached first; [`find_race`] finds data races.
//!
//! It deliberately has no order of search and no reduction: these are what an engine is.

mod choices;
mod codec;
mod expand;
mod graph;
mod inputs;
mod race;
mod random;
mod scratch;
mod store;
mod texts;

pub use codec::Codec;
pub use expand::{ExpansionSummary, Next, expand, expand_threads};
pub use graph::Graph;
pub use inputs::Inputs;
pub use race::find as find_race;
pub use random::Random;
pub use scratch::Scratch;
pub use store::StateId;
