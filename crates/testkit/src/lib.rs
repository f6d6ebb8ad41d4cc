//! Random threaded programs, a shrinker for them, and helpers for tests.
//!
//! [`generate`] makes a [`Program`] from a seed and a [`Profile`]; its `Display` is self-contained C
//! without `#include`. [`shrink`] makes a program that shows a disagreement small enough to read.
//! [`crew`] makes programs about threads that loops start and join. [`Expectations`] reads the files `expect.toml` beside programs whose verdicts are known, and
//! [`check()`] is the way from text to a verdict.
//!
//! Generated programs have no undefined behaviour except data races (unless [`Extra`]s ask for it),
//! read nothing that was not written, and are small: all their interleavings can be explored in well under a second. There is
//! no oracle here: a random program's verdict is known only by comparing two ways to find it.

mod check;
mod corpus;
mod crew;
mod environment;
mod expect;
mod generate;
mod print;
mod profile;
mod program;
mod rng;
mod shrink;

pub use check::{Preparation, check, prepared, preprocess, task, translate};
pub use corpus::{corpus_dir, workspace_dir};
pub use crew::crew;
pub use environment::from_environment;
pub use expect::{Expectation, Expectations};
pub use generate::generate;
pub use profile::{Extra, Inputs, Profile};
pub use program::{
    Array, AtomicForm, BinaryOp, Crew, Ending, Expr, FetchOp, Field, Function, Global, Guard, Int,
    PartialOp, Place, Pointer, Program, Record, Rmw, Start, StartArg, Stmt, Target, UnaryOp,
};
pub use rng::Rng;
pub use shrink::shrink;
