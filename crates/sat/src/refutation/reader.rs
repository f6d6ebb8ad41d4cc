//! Checks a refutation that was written to a file.

use super::{Acyclic, Checker, Line, read, sorted};
use rustc_hash::FxHashSet;
use std::path::Path;
use verdict::{Budget, Objection};

/// What a refutation is about.
pub struct Claim {
    /// The clauses of the formula, each sorted.
    inputs: FxHashSet<Vec<i32>>,
    /// What lemmas have to be about.
    order: Acyclic,
    /// None of these can hold.
    goals: Vec<i32>,
}

impl Claim {
    /// With these clauses and this order of events none of the goals can hold.
    pub fn new(clauses: impl Iterator<Item = Vec<i32>>, order: Acyclic, goals: Vec<i32>) -> Claim {
        Claim {
            inputs: clauses.map(|clause| sorted(&clause)).collect(),
            order,
            goals,
        }
    }

    /// Does the refutation in a file show it? Why not, if it does not.
    pub fn check(self, refutation: &Path, budget: &Budget) -> Result<(), Objection> {
        let lines = read(refutation)
            .map_err(|error| format!("cannot read {}: {error}", refutation.display()))?;
        let mut reader = Reader {
            inputs: self.inputs,
            order: self.order,
            checker: Checker::default(),
            concluded: Vec::new(),
        };
        for (count, line) in lines.enumerate() {
            if count % 4096 == 0
                && let Some(reason) = budget.exceeded(verdict::resident_bytes())
            {
                return Err(reason.into());
            }
            reader.take(line?)?;
        }
        let refutes = |clause: &Vec<i32>, goal: i32| clause.iter().all(|&lit| lit == -goal);
        for goal in self.goals {
            if !reader.concluded.iter().any(|clause| refutes(clause, goal)) {
                return Err("a goal is not refuted".into());
            }
        }
        Ok(())
    }
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
