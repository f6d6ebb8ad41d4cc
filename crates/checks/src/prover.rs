//! Questions to a solver: what follows from what.

use crate::formula::{Formula, Found};
use crate::question::{Facts, Group};
use expr::{Term, Terms};
use rustc_hash::FxHashMap;
use verdict::{Budget, Reason};

/// Answers what follows.
pub struct Prover<'a> {
    budget: &'a Budget,
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
            calls: 0,
            answered: FxHashMap::default(),
        }
    }

    /// Can these hold together? Yes, if in doubt.
    fn can_hold(&mut self, terms: &Terms, parts: &[Term], last: Term) -> Result<bool, Reason> {
        self.calls += 1;
        let found = Formula::new(terms, parts.to_vec(), self.budget).ask(terms, last)?;
        Ok(!matches!(found, Found::Nothing))
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
            if !self.can_hold(terms, &group.facts, condition)? {
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
        self.can_hold(terms, facts.rest(), nothing)
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
        let mut formula = Formula::new(terms, facts.to_vec(), self.budget);
        while !wanted.is_empty() {
            let all = terms.and_all(wanted.iter().copied());
            let refuted = terms.not(all);
            self.calls += 1;
            match formula.ask(terms, refuted)? {
                Found::Nothing => break,
                Found::Open => wanted.clear(),
                Found::Values(values) => {
                    let before = wanted.len();
                    wanted.retain(|&term| terms.eval(term, &values) != 0);
                    // Values that refute nothing would be an error of the solver.
                    if wanted.len() == before {
                        wanted.clear();
                    }
                }
            }
        }
        Ok(wanted)
    }
}
