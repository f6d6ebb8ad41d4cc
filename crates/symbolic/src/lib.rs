//! What a label does to a symbolic store, once for all engines.
//!
//! The machine of `semantics` says what a label does to a state of numbers. This crate says the
//! same for a store of terms. An engine brings a [`Store`]: how it keeps variables and memory, what
//! it does with a condition, how it names a value that the environment chooses. [`step`] takes a
//! label apart into these operations. Locks and condition variables are taken apart here and
//! nowhere else: a lock is two words of memory, a thread that waits on a condition variable has a
//! word with the address of it.
//!
//! Law: run on a store of numbers, [`step`] does what `Machine::step_label` does. The tests of this
//! crate check it with a program for each label.
//!
//! Not here: control flow, calls (they are inlined before), and whether a thread may move at all.

mod step;
mod store;

pub use step::step;
pub use store::{Store, Value};
