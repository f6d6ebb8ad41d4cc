//! Counterexample-guided abstraction refinement with partial order reduction (`--engine cegar`).
//!
//! Paper 1: abstraction-aware partial order reduction, Algorithms 1 to 4. The idea, the invariants
//! and why it is sound are on
//! [its page in the manual](../../../docs/engines/cegar.md). One loop, in [`check()`]: the [`abstractor`]
//! builds an abstract reachability graph ([`arg`]) until it is closed or shows an error, the
//! [`refiner`] decides whether the error is real and otherwise makes the precision finer.
//!
//! It deliberately knows nothing about C, memory or locks: [`abstraction::Program`] has turned all
//! that into variables.

mod abstractor;
mod arg;
mod certificate;
mod check;
mod config;
mod engine;
mod graph;
mod proof;
mod refiner;
mod run;
mod steps;
mod view;
mod waitlist;

pub use self::engine::Cegar;
pub use certificate::{recheck, recheck_with_invariants};
pub use check::{check, check_watched};
pub use config::{Config, Domain, Prune, Refine, Search};
pub use view::{ActionView, LeftOut, NodeView, Snapshot};
