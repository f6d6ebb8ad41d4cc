//! Random threaded C programs, and a shrinker for them.
//!
//! [`generate`] makes a [`Program`] from a seed and a [`Profile`]; its `Display` is self-contained C
//! without `#include`. [`shrink`] makes a program that shows a disagreement small enough to read.
//! [`hostile`] makes programs about what those never contain, with an oracle each.
//! [`crew`] makes programs about threads that loops start and join.
//!
//! Generated programs have no undefined behaviour except data races (unless [`Extra`]s ask for it),
//! read nothing that was not written, and are small: all their interleavings can be explored in
//! well under a second. They have no oracle: a random program's verdict is known only by comparing
//! two ways to find it. Hostile programs are the exception to all of this but size.

mod crew;
mod generate;
mod hostile;
mod print;
mod profile;
mod program;
mod rng;
mod shrink;

pub use crew::crew;
pub use generate::generate;
pub use hostile::{Class, Hostile, Oracle, Piece, Source, hostile};
pub use profile::{Extra, Inputs, Profile};
pub use program::{
    Array, AtomicForm, BinaryOp, Crew, Ending, Expr, FetchOp, Field, Function, Global, Guard, Int,
    Lvalue, PartialOp, Pointer, Program, Record, Rmw, Start, StartArg, Stmt, Target, UnaryOp,
};
pub use rng::Rng;
pub use shrink::shrink;
