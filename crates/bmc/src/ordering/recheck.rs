//! Checks the refutation in a file, with the formula built anew.

use super::GoalKind;
use super::check::formula_of;
use sat::refutation::Claim;
use std::path::Path;
use verdict::{Budget, Objection, Task};

/// Does the refutation show that no execution with loops unrolled this often reaches an error, nor
/// goes on? Why not, if it does not.
pub fn recheck(
    task: &Task,
    rounds: u32,
    events: u64,
    refutation: &Path,
    budget: &Budget,
) -> Result<(), Objection> {
    let mut formula = formula_of(task, rounds, budget)?;
    if formula.accesses() != events {
        let found = formula.accesses();
        return Err(format!("there are {found} events, not {events}").into());
    }
    let goals = [GoalKind::Error, GoalKind::Unwound].map(|kind| formula.goal(kind));
    let goals = goals.into_iter().flatten().map(|lit| lit.number());
    let claim = Claim::new(formula.clauses(), formula.acyclic(), goals.collect());
    claim.check(refutation, budget)
}
