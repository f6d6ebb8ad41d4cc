//! Questions to a solver: what follows from what.

use crate::question::{Facts, Group};
use expr::{Term, Terms};
use rustc_hash::FxHashMap;
use smt::{Check, Solver};
use verdict::{Budget, Reason};

/// What one question may cost; what is not answered does not follow.
const EFFORT: u32 = 3_000_000;

/// Answers what follows.
pub struct Prover<'a> {
    budget: &'a Budget,
    solver: Solver,
    /// How many questions the solver was asked.
    pub calls: u64,
    /// What was found to follow of what was asked, by facts and what was asked.
    answered: FxHashMap<(Vec<Term>, Vec<Term>), Vec<Term>>,
}

impl<'a> Prover<'a> {
    /// Nothing asked yet.
    pub fn new(budget: &'a Budget) -> Prover<'a> {
        Prover {
            budget,
            solver: new_solver(),
            calls: 0,
            answered: FxHashMap::default(),
        }
    }

    fn ask(&mut self, terms: &Terms, parts: &[Term], last: Term) -> Result<Check, Reason> {
        if let Some(reason) = self.budget.exceeded(verdict::resident_bytes()) {
            return Err(reason);
        }
        // A solver that remembers earlier questions would have to find values for all of them.
        self.solver = new_solver();
        for &part in parts.iter().chain([&last]) {
            self.solver.assert(terms, part);
        }
        self.calls += 1;
        self.solver.set_timeout(self.budget.remaining());
        Ok(self.solver.check(terms, &[]))
    }

    /// Can a condition hold where these facts do, which can hold together? Yes, if in doubt.
    pub fn possible(
        &mut self,
        terms: &mut Terms,
        facts: &[Term],
        condition: Term,
    ) -> Result<bool, Reason> {
        let facts = Facts::of(terms, facts);
        let condition = facts.put_into(terms, condition);
        if facts.contradict || terms.as_const(condition) == Some(0) {
            return Ok(false);
        }
        let all = [((), condition)];
        for group in facts.groups(terms, &all) {
            if self.ask(terms, &group.facts, condition)? == Check::Unsat {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Can these facts hold together? Yes, if in doubt.
    pub fn consistent(&mut self, terms: &mut Terms, facts: &[Term]) -> Result<bool, Reason> {
        let facts = Facts::of(terms, facts);
        if facts.contradict {
            return Ok(false);
        }
        let nothing = terms.bool(true);
        Ok(self.ask(terms, facts.rest(), nothing)? != Check::Unsat)
    }

    /// Of the wanted terms, those that follow from the facts. The numbers are the caller's.
    pub fn following(
        &mut self,
        terms: &mut Terms,
        facts: &[Term],
        wanted: Vec<(usize, Term)>,
    ) -> Result<Vec<usize>, Reason> {
        let facts = Facts::of(terms, facts);
        if facts.contradict {
            return Ok(wanted.into_iter().map(|(number, _)| number).collect());
        }
        let (mut sure, mut open) = (Vec::new(), Vec::new());
        for (number, term) in wanted {
            let term = facts.put_into(terms, term);
            match terms.as_const(term) {
                Some(0) => {}
                Some(_) => sure.push(number),
                None if facts.contains(term) => sure.push(number),
                None => open.push((number, term)),
            }
        }
        for group in facts.groups(terms, &open) {
            sure.extend(self.following_in(terms, group)?);
        }
        Ok(sure)
    }

    /// The same for terms that have to do with each other. Most questions come again: what changed
    /// since then was about other variables.
    fn following_in(
        &mut self,
        terms: &mut Terms,
        group: Group<usize>,
    ) -> Result<Vec<usize>, Reason> {
        let (numbers, wanted): (Vec<usize>, Vec<Term>) = group.wanted.into_iter().unzip();
        let question = (group.facts, wanted);
        let follows = match self.answered.get(&question) {
            Some(known) => known.clone(),
            None => {
                let follows = self.find_following(terms, &question.0, &question.1)?;
                self.answered.insert(question.clone(), follows.clone());
                follows
            }
        };
        let wanted = numbers.into_iter().zip(question.1);
        let kept = wanted.filter(|(_, term)| follows.contains(term));
        Ok(kept.map(|(number, _)| number).collect())
    }

    fn find_following(
        &mut self,
        terms: &mut Terms,
        facts: &[Term],
        wanted: &[Term],
    ) -> Result<Vec<Term>, Reason> {
        let mut wanted = wanted.to_vec();
        while !wanted.is_empty() {
            let all = terms.and_all(wanted.iter().copied());
            let refuted = terms.not(all);
            match self.ask(terms, facts, refuted)? {
                Check::Unsat => break,
                Check::Unknown(_) => wanted.clear(),
                Check::Sat => {
                    let before = wanted.len();
                    if let Some(model) = self.solver.model() {
                        wanted.retain(|&term| terms.eval(term, &model) != 0);
                    }
                    // A model that refutes nothing would be an error of the solver.
                    if wanted.len() == before {
                        wanted.clear();
                    }
                }
            }
        }
        Ok(wanted)
    }
}

fn new_solver() -> Solver {
    let mut solver = Solver::new();
    solver.set_effort(EFFORT);
    solver
}
