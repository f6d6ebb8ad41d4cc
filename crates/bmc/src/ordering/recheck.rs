//! Checks the refutation in a file, with the formula built anew.

use super::GoalKind;
use super::check::formula_of;
use crate::refutation::{Acyclic, Checker, Line, read, sorted};
use rustc_hash::FxHashSet;
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
    let inputs = formula.clauses().map(|clause| sorted(&clause)).collect();
    let mut reader = Reader {
        inputs,
        order: formula.acyclic(),
        checker: Checker::default(),
        concluded: Vec::new(),
    };
    let lines = read(refutation)
        .map_err(|error| format!("cannot read {}: {error}", refutation.display()))?;
    for (count, line) in lines.enumerate() {
        if count % 4096 == 0
            && let Some(reason) = budget.exceeded(verdict::resident_bytes())
        {
            return Err(reason.into());
        }
        reader.take(line?)?;
    }
    let open = goals.into_iter().flatten();
    for goal in open.map(|lit| lit.number()) {
        if !reader
            .concluded
            .iter()
            .any(|clause| clause.iter().all(|&lit| lit == -goal))
        {
            return Err("a goal is not refuted".into());
        }
    }
    Ok(())
}

struct Reader {
    /// The clauses of the formula.
    inputs: FxHashSet<Vec<i32>>,
    order: Acyclic,
    checker: Checker,
    concluded: Vec<Vec<i32>>,
}

impl Reader {
    fn take(&mut self, line: Line) -> Result<(), String> {
        match line {
            Line::Input(id, clause) => {
                if !self.inputs.contains(&sorted(&clause)) {
                    return Err(format!("clause {id} is not one of the formula"));
                }
                self.checker.add(id, &clause);
            }
            Line::Lemma(id, clause) => {
                if !self.order.implies(&clause) {
                    return Err(format!("lemma {id} does not hold"));
                }
                self.checker.add(id, &clause);
            }
            Line::Derived(id, clause, hints) => self.checker.derive(id, &clause, &hints)?,
            Line::Restored(id, clause) => self.checker.restore(id, &clause)?,
            Line::Aside(id) => self.checker.put_aside(id),
            Line::Deleted(id) => self.checker.delete(id),
            Line::Concluded(id) => {
                let clause = self.checker.clause(id).ok_or("a conclusion is missing")?;
                self.concluded.push(clause.to_vec());
            }
        }
        Ok(())
    }
}
