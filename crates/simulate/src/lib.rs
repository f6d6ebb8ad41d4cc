//! Executions under random schedules, and all schedules with few preemptions: errors are found, nothing is proved.
//!
//! Schedules by priorities follow Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler with
//! Probabilistic Guarantees of Finding Bugs" (ASPLOS 2010, DOI 10.1145/1736020.1736040); the search by preemptions
//! follows Musuvathi, Qadeer, "Iterative Context Bounding for Systematic Testing of Multithreaded Programs" (PLDI 2007,
//! DOI 10.1145/1250734.1250785), over states instead of executions.
//!
//! It deliberately never says *safe*, and it does not compare executions. See [its page in the
//! manual](../../../docs/engines/simulate.md).

mod adjacent;
mod check;
mod dice;
mod engine;
mod parked;
mod preemptions;
mod run;
mod scheduler;

pub use check::{Config, check};
pub use engine::Simulate;
