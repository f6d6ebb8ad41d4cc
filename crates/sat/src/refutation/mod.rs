//! Refutations: why a formula has no model, in steps that can be checked one by one.
//!
//! A refutation uses three kinds of clauses. *Inputs* are those of the formula. *Lemmas* come from
//! the theory of order and say that some events would be ordered in a circle. *Derived* clauses
//! follow from earlier ones by unit propagation alone, and name the clauses that it needs (LRAT:
//! Cruz-Filipe et al., CADE 2017, doi:10.1007/978-3-319-63046-5_14). The last step is a clause
//! that contradicts what was assumed.
//!
//! The [`Checker`] trusts neither the solver nor the theory inside of it. It works while the solver
//! does ([`Tracer`]), so that every *unsatisfiable* has been checked when it is reported; and it
//! works on a file (`read`), with the formula built anew.

mod acyclic;
mod checker;
mod file;
mod reader;
mod tracer;

pub use acyclic::Acyclic;
pub use checker::Checker;
pub(crate) use checker::sorted;
pub(crate) use file::{Line, read};
pub use reader::Claim;
pub use tracer::Tracer;

#[cfg(test)]
mod tests;
