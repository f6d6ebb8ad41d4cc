//! Exhaustive exploration of the concrete program, and random simulation.
//!
//! This is the reference: every reachable state is visited once, nothing is abstracted and no
//! interleaving is left out, so that every other engine can be compared with it. A state is stored
//! by what matters of it ([`key`](mod@key) drops dead values).
//!
//! Inputs are tried with a few values each; unless these are all values of the type, the verdict
//! is at best *unknown*.
//!
//! It deliberately has no partial order reduction.

mod choices;
mod config;
mod endless;
mod graph;
mod inputs;
mod key;
mod race;
mod scratch;
mod search;
mod simulate;
mod store;

pub use config::{Config, Progress, Search};
pub use search::check;
pub use simulate::simulate;
