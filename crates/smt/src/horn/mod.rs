//! Systems of constrained Horn clauses, and their solution by Spacer.
//!
//! A solution gives each predicate a formula such that every rule holds; it exists if and only if
//! no derivation ends in falsity. Rules are over bit vectors, whatever arithmetic they are
//! solved in; a rule with a float operator is not solved, and neither is one with an address that
//! is not fixed.

mod back;
mod chc;
mod constants;
mod derivation;
mod facts;
mod ground;
mod integers;
mod recheck;
mod spacer;
mod system;
mod text;

pub use derivation::derive;
pub use facts::{FactSearch, Parts, Reached, simple_invariants, solve_simply};
pub use ground::{Enumerated, enumerate};
pub use recheck::{check_solution, is_solution};
pub use spacer::{Arithmetic, HornAnswer, Proposal, Question, propose, solve, solve_as};
pub use system::{Application, HornSystem, PredId, Predicate, Rule};
pub use text::read_solution;
