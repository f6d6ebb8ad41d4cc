//! Concrete search that matches abstract states: an under-approximation, refined until it is exact.
//!
//! After Kudra, "Finding Termination and Time Improvement in Predicate Abstraction with
//! Under-Approximation and Abstract Matching" (Brigham Young University, 2007), which builds on
//! Pasareanu, Pelanek and Visser (CAV 2005, doi:10.1007/11513988_5). Every state that is visited is
//! a concrete one, so every error is real; but a state is left out if it matches an earlier one under
//! the predicates. Where two different states match, predicates are added and the search starts
//! again. If no two match, all states have been visited.
//!
//! It deliberately has no abstract transitions: only the interpreter says what a step does. See
//! [its page in the manual](../../../docs/engines/matching.md).

mod amcs;
mod canon;
mod check;
mod config;
mod context;
mod engine;
mod hunt;
mod predicates;
mod random_dfs;
mod reduction;
mod search;
mod split;
mod states;
mod view;
mod wait;

pub use self::engine::{Matching, SEARCH};
pub use check::check;
pub use config::{Config, Search, Strategy};
pub use hunt::{Hit, Targets, hunt};
