//! Bounded model checking.
//!
//! [`check`] unrolls a program to a bound, turns memory into variables, and asks a SAT solver for
//! an execution that reaches an error; then for one that goes on beyond the bound. If there is
//! neither, the program is safe; if there is only the latter, the bound is doubled.
//!
//! There are two encodings, which know nothing of each other (see [its page in the
//! manual](../../../docs/engines/bmc.md)). In [`ordering`] the order of steps of different threads
//! is not guessed step by step: the formula says which write each read sees, and a theory inside
//! the solver makes sure that some order of all events fits. [`scheduler`] does guess step by step,
//! and leaves out interleavings that differ from others in nothing. Both use the solver of the
//! crate `sat`, with bit-blasting and refutations that are checked, and the machine that turns a
//! model into a trace.

mod check;
mod config;
mod engine;
mod guard;
pub mod ordering;
mod replay;
pub mod scheduler;

pub use self::engine::{Bmc, REFUTATION};
pub use check::check;
pub use config::{Backend, Config, Encoding, Reduction};
