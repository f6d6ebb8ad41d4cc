//! The language of the models: a part of CAT.
//!
//! CAT is the language of the simulator herd (Alglave, Maranget, Tautschnig, TOPLAS 2014,
//! DOI 10.1145/2627752). A model defines sets and relations, and says which of them must be acyclic,
//! irreflexive or empty. We read what models need: `let`, `let rec ... and`, the operators, the three
//! tests, and flags. Functions, `include` and anything that computes with sets of sets are refused.

mod ast;
mod eval;
mod explain;
mod growth;
mod lex;
mod parse;
mod resolve;
mod witness;

pub(crate) use ast::{Check, Expr, Op, TestKind};
pub(crate) use eval::{Evaluation, Value};
pub use explain::Fact;
pub(crate) use growth::{absence_grows, grows, grows_from_prefixes};
pub(crate) use parse::parse;
pub(crate) use resolve::{Program, Statement, Type, resolve};
pub use witness::Step;

/// What is wrong with the text of a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct CatError {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong there.
    pub what: String,
}

impl CatError {
    pub(crate) fn new(line: u32, what: impl Into<String>) -> CatError {
        CatError {
            line,
            what: what.into(),
        }
    }
}
