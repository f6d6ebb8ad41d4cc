//! Bounded model checking.
//!
//! [`check`] unrolls a program to a bound, turns memory into variables, and asks a SAT solver for
//! an execution that reaches an error; then for one that goes on beyond the bound. If there is
//! neither, the program is safe; if there is only the latter, the bound is doubled.
//!
//! The order of steps of different threads is not guessed step by step: the formula says which
//! write each read sees, and a theory inside the solver ([`order`]) makes sure that some order of
//! all events fits (docs/engines/bmc.md). A second encoding, [`scheduler`], does guess step by step
//! and leaves out interleavings that differ from others in nothing.

pub mod blast;
mod check;
mod config;
pub mod encode;
pub mod order;
pub mod refutation;
pub mod sat;
mod schedule;
pub mod scheduler;
mod trace;

pub use check::check;
pub use config::{Backend, Config, Encoding, Reduction};
pub use refutation::recheck;
