//! Helpers for tests; nothing that is shipped uses it.
//!
//! [`task`] is the way from text to a task, [`explored`] the answer of the reference exploration, and
//! [`judge_random`] the loop of every test over random programs: generate, judge, shrink.
//! [`Atomics`] draws programs for memory models. [`solved`] compares an engine with the verdicts that are listed for `litmus/` and `examples/`.
//! [`corpus_dir`] is the folder of public verification tasks, which is not part of the project. The
//! tests over `examples/` and `litmus/`, and those that compare engines on programs of `generator`,
//! are in this crate.

mod atomics;
mod check;
mod corpus;
mod environment;
mod judge;
mod listed;

pub use atomics::{Atomics, Orders, Parts};
pub use check::{check, explored, prepared, preprocess, task, translate};
pub use corpus::{corpus_dir, workspace_dir};
pub use environment::from_environment;
pub use judge::{agrees, answered, budget, compare_with_exploration, judge_random, seeds};
pub use listed::{Listed, expectations, listed, solved};
