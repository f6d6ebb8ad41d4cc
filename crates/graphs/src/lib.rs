//! Execution graphs of programs under memory models.
//!
//! [`Exec`] grows an execution graph event by event: threads run on the machine of `semantics`, each by
//! itself, and every read gets the value of a write of the graph. [`reference()`] makes every graph that can
//! be made in this way and keeps those that a model of the crate `models` allows. [`explore()`] makes each
//! of them once, without remembering any (TruSt: Kokologiannakis, Marmanis, Gladstein, Vafeiadis,
//! POPL 2022, DOI 10.1145/3498711); it is compared with the reference. The engine [`Graphs`] answers tasks
//! with them: see [its page in the manual](../../../docs/engines/graphs.md).
//!
//! Both need a model that forbids cycles of program order and reads-from, as all shipped models do: then an
//! execution can be made in an order in which every read comes after its write.
//!
//! What is not followed here is a [`Stop`], never a smaller answer: atomic sections, condition
//! variables, reader-writer locks and accesses of mixed sizes. What was taken for granted is [`Assumed`], and
//! proves nothing.

mod classes;
mod code;
mod engine;
mod exec;
mod explore;
mod freed;
mod key;
mod left;
mod objects;
mod outcome;
mod part;
mod pool;
mod private;
mod probe;
mod reference;
mod retrace;
mod revisit;
mod run;

pub use engine::Graphs;
pub use exec::Exec;
pub use explore::{explore, explore_on};
pub use outcome::{Assumed, Limits, Outcome, Stop};
pub use reference::reference;
