//! One command that picks the engines (`--engine auto`).
//!
//! [`steps`] are readable tables: which engine, for how long, for which kind of program.
//! [`Portfolio::run`] goes down the table of a property with as many engines at a time as there
//! are cores, each in a child process of its own ([`process::Fork`]), so that a crash or a lack
//! of memory ends that engine and nothing else. The first definite answer that is confirmed wins,
//! and the others are stopped. What was tried, for how long and why it gave up is kept
//! ([`Attempt`]).
//!
//! [`FirstTurns`] is for several properties of one program: the first engines of each have a short turn, all in one
//! child process, because a process for each would cost more than most answers.
//!
//! The idea and the tables are explained in docs/portfolio.md. It deliberately knows no engine but
//! by name: the caller says how to run one.

mod attempt;
mod child;
mod conductor;
mod first_turns;
mod second_opinion;
mod step;
mod teller;

pub use attempt::Attempt;
pub use conductor::{Portfolio, PortfolioResult, Running};
pub use first_turns::{FirstAnswer, FirstTurns};
pub use step::{Step, When, steps, steps_for, weak_steps};
