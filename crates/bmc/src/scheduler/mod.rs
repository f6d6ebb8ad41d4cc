//! The scheduler encoding with Peephole partial order reduction.
//!
//! After Wang, Yang, Kahlon and Gupta, "Peephole Partial Order Reduction", TACAS 2008
//! (doi:10.1007/978-3-540-78800-3_29). The program is a transition system ([`System`]); its
//! transition relation is unrolled step by step, with a variable in each step that says which thread
//! moves ([`Formula`]); constraints over two adjacent steps forbid one order of transitions that are
//! independent in the state before them ([`Independence`]).
//!
//! Loops stay as they are: a bound on the steps is enough. Only what makes new threads or objects is
//! unrolled, so that every thread and object of the system exists once.
//!
//! Condition variables disappear, as a wait may end spuriously; so this is for reachability only.

mod blocks;
mod effect;
mod footprint;
mod formula;
mod independence;
mod system;
mod updates;

pub use footprint::Footprint;
pub use formula::{Formula, Taken, Values};
pub use independence::{Independence, Reduction};
pub use system::{StateVar, System, Target, Thread, ThreadId, Transition};

use crate::blast::Refused;
use crate::encode::Refusal;
use analysis::flatten;
use passes::{Cells, Liveness, OnInvalid, cells};
use xcfa::{ErrorKind, Xcfa};

/// The formula of a program in which every procedure runs at most once, before its first step.
pub fn formula(
    original: &Xcfa,
    checked: ErrorKind,
    reduction: Reduction,
    keep: bool,
) -> Result<Formula, Refusal> {
    let Cells {
        xcfa, in_memory, ..
    } = cells(original, OnInvalid::EndRun);
    if let Some(left) = in_memory.iter().find(|left| !left.only_locks) {
        let object = &xcfa[left.object];
        let what = format!("{} stays in memory: {}", object.name, left.why);
        return Err(Refusal::at(object.span, what));
    }
    let flat =
        flatten(&xcfa, original, &[]).map_err(|refused| Refusal::at(refused.span, refused.what))?;
    let liveness = Liveness::of(&flat.xcfa);
    let mut system = System::new(flat, checked)?;
    let footprints = Footprint::all(&mut system, original);
    let relation = Independence::of(&mut system, &footprints, &liveness, reduction);
    let span = original[original.main].span;
    Formula::new(system, relation, keep).map_err(|Refused(what)| Refusal::at(span, what))
}
