//! Checks the refutation in a file, with the formula built anew.

use super::Reduction;
use super::check::{FIRST_STEPS, open};
use crate::check::not_checked;
use sat::Lit;
use sat::refutation::{Acyclic, Claim};
use std::path::Path;
use verdict::{Budget, Objection, Task};
use xcfa::ErrorKind;

/// Does the refutation show that no execution reaches an error within these steps, nor goes on, nor
/// needs more rounds? Why not, if it does not.
pub fn recheck(
    task: &Task,
    (rounds, steps, reduction): (u32, u64, Reduction),
    refutation: &Path,
    budget: &Budget,
) -> Result<(), Objection> {
    let checked = task.property.target();
    let checked = checked.ok_or_else(|| not_checked(task.property))?;
    let mut formula = open(task, rounds, reduction, true)?;
    // Gates are numbered as they are made: with every question, as when the program was checked.
    let mut wanted = FIRST_STEPS;
    let goals = loop {
        formula.extend(wanted, budget)?;
        let goals = [formula.error(checked), formula.further()];
        if wanted as u64 >= steps {
            break [goals[0], goals[1], formula.error(ErrorKind::Unwound)];
        }
        wanted *= 2;
    };
    let open = goals.into_iter().filter(|&lit| lit != Lit::FALSE);
    let goals = open.map(|lit| lit.number()).collect();
    let claim = Claim::new(formula.clauses(), Acyclic::default(), goals);
    claim.check(refutation, budget)
}
