//! Questions to a solver: what follows from what.

use expr::{Term, Terms};
use smt::{Check, Model, Solver};
use verdict::{Budget, Reason};

/// What one question may cost; what is not answered does not follow.
const EFFORT: u32 = 3_000_000;

/// Answers what follows.
pub struct Prover<'a> {
    budget: &'a Budget,
    solver: Solver,
    /// How many questions the solver was asked.
    pub calls: u64,
}

impl<'a> Prover<'a> {
    /// Nothing asked yet.
    pub fn new(budget: &'a Budget) -> Prover<'a> {
        Prover {
            budget,
            solver: new_solver(),
            calls: 0,
        }
    }

    fn ask(&mut self, terms: &Terms, parts: &[Term]) -> Result<Check, Reason> {
        if let Some(reason) = self.budget.exceeded(verdict::resident_bytes()) {
            return Err(reason);
        }
        // A solver that remembers earlier questions would have to find values for all of them.
        self.solver = new_solver();
        for &part in parts {
            self.solver.assert(terms, part);
        }
        self.calls += 1;
        self.solver.set_timeout(self.budget.remaining());
        Ok(self.solver.check(terms, &[]))
    }

    /// A state in which the last question that was possible is so.
    pub fn example(&self) -> Option<Model> {
        self.solver.model()
    }

    /// Can all of these hold together? Yes, if in doubt.
    pub fn possible(&mut self, terms: &mut Terms, parts: &[Term]) -> Result<bool, Reason> {
        for &part in parts {
            if terms.as_const(part) == Some(0) || parts.contains(&terms.not(part)) {
                return Ok(false);
            }
        }
        Ok(self.ask(terms, parts)? != Check::Unsat)
    }

    /// Of the wanted terms, those that follow from the facts. The numbers are the caller's.
    pub fn following(
        &mut self,
        terms: &mut Terms,
        facts: &[Term],
        mut wanted: Vec<(usize, Term)>,
    ) -> Result<Vec<usize>, Reason> {
        let mut sure = Vec::new();
        wanted.retain(|&(number, term)| {
            let is_sure = terms.as_const(term) == Some(1) || facts.contains(&term);
            if is_sure {
                sure.push(number);
            }
            !is_sure
        });
        let mut parts = facts.to_vec();
        while !wanted.is_empty() {
            let all = terms.and_all(wanted.iter().map(|&(_, term)| term));
            parts.push(terms.not(all));
            let answer = self.ask(terms, &parts)?;
            parts.pop();
            match answer {
                Check::Unsat => break,
                Check::Unknown(_) => wanted.clear(),
                Check::Sat => {
                    let before = wanted.len();
                    if let Some(model) = self.solver.model() {
                        wanted.retain(|&(_, term)| terms.eval(term, &model) != 0);
                    }
                    // A model that refutes nothing would be an error of the solver.
                    if wanted.len() == before {
                        wanted.clear();
                    }
                }
            }
        }
        sure.extend(wanted.into_iter().map(|(number, _)| number));
        Ok(sure)
    }
}

fn new_solver() -> Solver {
    let mut solver = Solver::new();
    solver.set_effort(EFFORT);
    solver
}
