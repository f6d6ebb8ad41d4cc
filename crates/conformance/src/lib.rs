//! Does the front end give C the meaning that a compiler gives it?
//!
//! A [`Unit`] is a random C text without threads: types, globals, functions, and *items*, which are
//! expressions (some of them calls of random functions) with an integer value. The compiler builds
//! it and its run tells the values ([`compiler`]). Then every item becomes an assertion that it has
//! just this value: the exploration must find the program safe, and with one assertion denied
//! unsafe ([`judge`]). Items have no undefined behaviour but signed overflow, which both sides
//! wrap: divisors and amounts of shifts are kept in range by the way they are written.
//!
//! [`library`] does the same for functions of the C library: they are called natively with generated
//! arguments, and the model must agree.
//!
//! Both data models are compared. Programs for 32 bits are built without any library, so a compiler
//! that has none for them is good enough, as long as the kernel runs them.

mod aggregate;
mod compiler;
mod declare;
mod expression;
mod function;
mod judge;
pub mod library;
mod scope;
mod statement;
mod types;
mod unit;

pub use compiler::{Compiler, Values};
pub use judge::{Comparison, Disagreement, compare};
pub use unit::{Item, Unit};
