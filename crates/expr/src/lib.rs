//! Terms: the expression language of every automaton and every engine.
//!
//! A [`Term`] is a number into a [`Terms`] pool, which stores each distinct term once. Values are
//! bit-precise: booleans, bit vectors of up to 64 bits and IEEE floats, each carried in a `u64`.
//!
//! This crate deliberately knows neither memory nor threads nor C: a variable is a [`VarId`] whose
//! meaning others give, and the address of a memory object is a constant named by [`ObjId`].

mod build;
mod eval;
mod op;
mod portable;
mod print;
mod rewrite;
mod sort;
mod term;

pub use eval::{Env, apply, sign_extend};
pub use op::Op;
pub use portable::Portable;
pub use print::Names;
pub use sort::{FloatKind, Sort};
pub use term::{Node, ObjId, PoolId, Term, Terms, VarId};
