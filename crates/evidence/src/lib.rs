//! Checks again what an engine has claimed, by code that the engine does not use.
//!
//! | claim | what is done |
//! | --- | --- |
//! | *unsafe* | the trace is run by the interpreter |
//! | all states were visited | they are visited again by [`closed`], a plain search of its own |
//! | a complete unrolling has no error | its refutation is checked, clause by clause ([`bmc::recheck`]) |
//! | an abstract graph is closed | it is built again and checked node by node ([`cegar::recheck`]) |
//! | invariants hold | every clause is checked with them by a plain solver ([`horn::recheck`]); ranks are looked for again |
//! | accesses are kept apart | the pairs are looked at again |
//! | every class of executions was run | all states are visited, or another engine has to agree |
//!
//! What is trusted all the same, and why, is in docs/evidence.md.

mod claim;
mod closed;
mod fair;
mod ways;

pub use claim::{Claim, verify};
