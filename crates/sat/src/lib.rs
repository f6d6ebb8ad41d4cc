//! Satisfiability: clauses, circuits, orders of events, and refutations.
//!
//! [`Sat`] is a thin and safe layer over CaDiCaL. [`blast`] turns terms into circuits of its
//! variables, [`order`] is a theory of events that must not be ordered in a circle, and
//! [`refutation`] checks each step of every *unsatisfiable*, so that neither the solver nor the
//! theory is trusted.
//!
//! It deliberately knows nothing of programs: the engines say what variables and events mean.

pub mod blast;
mod limits;
mod lit;
pub mod order;
pub mod refutation;
mod solver;

pub use lit::Lit;
pub use solver::{Figures, Sat, Satisfiability};

#[cfg(test)]
mod tests;
