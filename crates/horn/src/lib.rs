//! Compositional proofs with reduction, as Horn clauses (`--engine horn`).
//!
//! Paper 2: Popeea, Rybalchenko and Wilhelm, "Reduction for Compositional Verification of
//! Multi-Threaded Programs" (FMCAD 2014). Lipton's [`movers`] make reducible [`blocks`], and
//! [`rule`] says as Horn clauses what invariants of threads have to obey so that no error is
//! reachable. A Horn solver searches for such invariants. The idea, the invariants and why it is
//! sound are on [its page in the manual](../../../docs/engines/horn.md).
//!
//! It deliberately knows nothing about C, memory or calls: [`abstraction::Program`] has turned all
//! that into variables.

mod attempts;
pub mod blocks;
mod certificate;
mod check;
mod clauses;
mod commute;
mod config;
mod control;
mod counterexample;
mod engine;
mod external;
pub mod locks;
pub mod movers;
mod order;
mod readers;
mod rule;
mod sets;
mod shown;
pub mod steps;
mod termination;
mod variables;

pub use self::engine::Horn;
pub use check::{Proved, check, check_with_invariants, recheck, recheck_with_invariants};
pub use config::{Config, Index, Inference};
pub use shown::Invariant;
