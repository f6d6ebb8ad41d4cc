//! Exhaustive exploration of the concrete program.
//!
//! This is the reference: every reachable state is visited once, nothing is abstracted and no
//! interleaving is left out, so that every other engine can be compared with it. A state is stored
//! by what matters of it ([`statespace::Codec`] drops dead values).
//!
//! Inputs are tried with a few values each; unless these are all values of the type, the verdict
//! is at best *unknown*.
//!
//! It deliberately has no partial order reduction. See [its page in the
//! manual](../../../docs/engines/explore.md).

mod config;
mod endless;
mod engine;
mod search;

pub use self::engine::Explore;
pub use config::{Config, Search};
pub use search::check;
