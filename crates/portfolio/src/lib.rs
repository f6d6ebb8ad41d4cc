//! One command that picks by itself (`--engine auto`).
//!
//! [`steps`] are tables that one can read: which engine, for how long, for which kind of program.
//! [`Portfolio::run`] goes down the table of a property with as many engines at a time as there
//! are cores, each in a child process of its own ([`process::Fork`]), so that a crash or a flood
//! of memory ends that engine and nothing else. The first definite answer that is confirmed wins,
//! and the others are stopped. What was tried, for how long and why it gave up is kept
//! ([`Attempt`]).
//!
//! The idea and the tables are explained in docs/portfolio.md. It deliberately knows no engine: the
//! caller says how to run one.

mod attempt;
mod child;
mod conductor;
mod engine;
mod second;
mod step;

pub use attempt::Attempt;
pub use conductor::{Outcome, Portfolio, Running};
pub use engine::Engine;
pub use step::{Step, When, steps};
