//! What each label does, one test each, with the state before and after.
//!
//! A test is an automaton, a schedule and what the machine says: each line is a step, and shows the
//! thread, what came of the step, and the global variables afterwards.

mod data;
mod memory;
mod run;
mod sync;
mod threads;
