//! Checks again what engines have claimed, by code that they do not use.
//!
//! | claim | what is done |
//! | --- | --- |
//! | all states were visited | [`visited`] visits them again, in a plain search of its own |
//! | every execution ends | [`ranks`] checks invariants and ranks step by step with a plain solver |
//! | facts hold at locations | [`places`] checks them action by action with a plain solver |
//! | accesses are kept apart | [`apart`] checks pairs under a lock or before threads |
//! | locks are taken in one order | [`order`] checks edge by edge what may be held |
//!
//! Claims that only their engine can read, a refutation or an abstract graph, are checked by its own
//! `recheck`. What is trusted all the same, and why, is in docs/evidence.md.

mod apart;
mod closed;
mod fair;
mod growth;
mod mutex;
mod order;
mod places;
mod ranks;
mod ways;

pub use apart::again as apart;
pub use closed::{closed, visited};
pub use order::again as order;
pub use places::recheck as places;
pub use ranks::recheck as ranks;
