//! One solver facade over terms: [`Solver`] for satisfiability, models and cores, [`horn`] for
//! systems of Horn clauses, and SMT-LIB texts of both.
//!
//! Behind it is Z3, with Spacer for the clauses (Komuravelli, Gurfinkel, Chaki, CAV 2014,
//! doi:10.1007/978-3-319-08867-9_2). Everything means what [`expr::Terms::eval`] says it means,
//! bit for bit. Two things are deliberately absent: arrays, because each encoder models memory
//! itself, and interpolants, because Z3 has none. A solution of Horn clauses is
//! never trusted: it is checked clause by clause before it is shown.

mod counters;
pub mod horn;
mod interrupt;
mod model;
mod raw;
mod smtlib;
mod solver;
mod translate;
mod worker;

pub use counters::Counters;
pub use interrupt::Interrupt;
pub use model::Model;
pub use solver::{Check, Solver};
pub use worker::on_worker;

/// The bindings number the kinds of terms as this version does; another one would be misread.
fn check_version() {
    let version = z3::full_version();
    assert!(
        version.starts_with("4.16.0"),
        "the Z3 library is {version}, not 4.16.0: run `cargo xtask setup`"
    );
}
