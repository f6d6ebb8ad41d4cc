//! Exhaustive exploration of the concrete program, and random simulation.
//!
//! This is the reference: every reachable state is visited once, nothing is abstracted and no
//! interleaving is left out, so that every other engine can be compared with it. A state is stored
//! by what matters of it ([`Codec`] drops dead values).
//!
//! Inputs are tried with a few values each; unless these are all values of the type, the verdict
//! is at best *unknown*.
//!
//! What it is made of is of use to other searches over concrete states: [`expand`] takes every step
//! from a state, [`Codec`] stores states, [`find_race`] looks for races.
//!
//! It deliberately has no partial order reduction.

mod choices;
mod config;
mod endless;
mod expand;
mod graph;
mod inputs;
mod key;
mod race;
mod random;
mod scratch;
mod search;
mod simulate;
mod store;

pub use config::{Config, Progress, Search};
pub use expand::{Next, Outlook, expand, expand_threads};
pub use inputs::Inputs;
pub use key::Codec;
pub use race::find as find_race;
pub use random::Random;
pub use scratch::Scratch;
pub use search::check;
pub use simulate::simulate;
