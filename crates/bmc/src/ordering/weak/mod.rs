//! Weak memory: executions as graphs, and a memory model that forbids some of them.
//!
//! The formula ([`Formula`]) has the executions whose accesses to each location are coherent and whose program order and
//! reads-from have no cycle: that much all shipped models demand. What else the model forbids is learnt: the solver's
//! execution is run on the machine, which gives its graph ([`execution`]); the model's text names what forbids it; and each
//! reason becomes a clause ([`learn`]) that rules out every execution with these facts. So an execution that is left is one
//! that the model allows, and if none is left, none is allowed.
//!
//! # What a model of the formula is
//! Every thread goes on as long as its conditions hold. An execution that is possible stays possible when a thread goes on
//! and reads the last writes, so an error is never lost by that; that the process ends does not keep others from having
//! gone on before.

mod check;
mod cycle;
mod execution;
mod formula;
mod learn;
mod racing;

pub use check::check;

use super::{Checked, Unsupported};
use xcfa::{Edge, Label, LockMode, Xcfa};

/// Refuses what has no meaning under weak memory, wherever it is in the program.
pub(super) fn refuse(xcfa: &Xcfa, checked: Checked) -> Result<(), Unsupported> {
    for edge in &xcfa.edges {
        if let Some(what) = unfollowed(xcfa, edge, checked) {
            return Err(Unsupported::at(edge.span, what));
        }
    }
    Ok(())
}

fn unfollowed(xcfa: &Xcfa, edge: &Edge, checked: Checked) -> Option<&'static str> {
    let (mut loads, mut stores, mut locks) = (0, 0, 0);
    for label in &edge.labels {
        match label {
            Label::AtomicBegin | Label::AtomicEnd => return Some("an atomic section"),
            it if it.is_signalling() => return Some("a condition variable"),
            Label::Lock { mode, .. } | Label::Unlock { mode, .. } => {
                if *mode != LockMode::Exclusive {
                    return Some("a reader-writer lock");
                }
                locks += 1;
            }
            Label::Free(_) if checked == Checked::Events => return Some("memory that is freed"),
            Label::Load { .. } => loads += 1,
            Label::Store { .. } => stores += 1,
            _ => {}
        }
    }
    let globals = edge.labels.iter().any(|label| {
        let mut terms = label.terms();
        let is_global = |var| xcfa.is_global(var);
        label.defines().is_some_and(is_global)
            || terms.any(|term| xcfa.terms.vars(term).into_iter().any(is_global))
    });
    let accesses = loads + stores > 0 || globals;
    if edge.atomic && edge.order.is_none() && locks == 0 && accesses {
        return Some("a memory order that is not constant");
    }
    match loads > 1 || stores > 1 || locks > 1 || locks > 0 && accesses {
        true => Some("a step with several accesses"),
        false => None,
    }
}
