//! Proofs over reductions of the product of the threads (`--engine reduce`).
//!
//! A reduction keeps one execution of each class of executions that differ only in the order of steps
//! that commute. Often it has a simple invariant where the product of all interleavings has none: two
//! loops in lockstep need `i == j`, two loops in any order need what each of them computes. After
//! Farzan and Vandikas, "Reductions for Safety Proofs" (POPL 2020, doi:10.1145/3371081), and Farzan,
//! Klumpp and Podelski, "Sound Sequentialization for Concurrent Program Verification" (PLDI 2022,
//! doi:10.1145/3519939.3523727). The idea, the law and why it is sound are on
//! [its page in the manual](../../../docs/engines/reduce.md).
//!
//! It deliberately finds no bugs: that a reduction has no invariant of the kind that is searched for
//! says nothing about the program.

mod certificate;
mod check;
mod commute;
mod concrete;
mod config;
mod cuts;
mod engine;
mod groups;
mod history;
mod horn;
mod known;
mod letters;
mod linear;
mod membrane;
mod order;
mod product;
mod recheck;
mod repair;
mod rules;
mod runs;
mod waits;

pub use self::engine::Reduce;
pub use check::{check, check_with_stats};
pub use commute::{Commutativity, Commutes};
pub use concrete::{Explored, explore_product};
pub use config::{Config, OrderChoice};
pub use letters::{Letter, LetterId, Letters};
pub use order::Order;
pub use product::{Product, ProductState};
pub use recheck::recheck;
