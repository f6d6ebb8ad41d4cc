//! The scheduler encoding with Peephole partial order reduction.
//!
//! After Wang, Yang, Kahlon and Gupta, "Peephole Partial Order Reduction", TACAS 2008
//! (doi:10.1007/978-3-540-78800-3_29). The actions of the program ([`System`]) are unrolled step by
//! step, with a variable in each step that says which thread moves ([`Formula`]); constraints over
//! two adjacent steps forbid one order of transitions that are independent in the state before them
//! ([`Independence`]).
//!
//! Locations are split by the constants that their threads hold there (`split.rs`), so that the index
//! of an array is mostly a number.
//!
//! Loops stay as they are: a bound on the steps is enough. Only what makes new threads or objects is
//! unrolled, so that every thread and object of the system exists once.
//!
//! Condition variables disappear, as a wait may end spuriously; so this is for reachability only.

mod blocks;
mod check;
mod footprint;
mod formula;
mod independence;
mod question;
mod recheck;
mod split;
mod step;
mod system;
mod updates;

pub use check::check;
pub use footprint::Footprint;
pub use formula::Formula;
pub use independence::{Independence, Reduction};
pub use question::{Taken, Values};
pub use recheck::recheck;
pub use system::{System, ThreadId};

use abstraction::Program;
use expr::Terms;
use passes::Unsupported;
use sat::blast::Refused;

/// The formula of a program before its first step; `keep` keeps the clauses for printing.
pub fn formula(
    (program, terms): (Program, Terms),
    reduction: Reduction,
    keep: bool,
) -> Result<Formula, Unsupported> {
    let main = program.unrolled.xcfa.main;
    let span = program.unrolled.xcfa[main].span;
    let mut system = System::new(program, terms)?;
    let footprints = Footprint::all(&system);
    let relation = Independence::of(&mut system, &footprints, reduction);
    Formula::new(system, relation, keep).map_err(|Refused(what)| Unsupported::at(span, what))
}
