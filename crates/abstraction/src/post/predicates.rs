//! The truth of predicates after an action.

use super::{Before, Facts, Post, Splitting};
use crate::{Action, Data, Truth};
use expr::{Term, Terms};
use rustc_hash::FxHashMap;

/// More combinations of predicates than this are not distinguished.
const MOST_SPLITS: usize = 32;

impl Post {
    /// Adds the truths to each of the results.
    pub(super) fn truths(
        &mut self,
        terms: &mut Terms,
        action: &Action,
        before: &Before<'_>,
        guard: Term,
        facts: &Facts,
        mut results: Vec<Data>,
    ) -> Vec<Data> {
        let updates: FxHashMap<_, _> = action.updates.iter().copied().collect();
        let guard_vars = terms.vars(action.guard);
        let mut truths = Vec::new();
        let mut open = Vec::new();
        for (number, predicate) in before.precision.predicates().iter().enumerate() {
            let old = before.data.truth(number);
            let touched = predicate.vars.intersects(&action.writes);
            let tested = guard_vars
                .iter()
                .any(|var| predicate.vars.contains(var.0 as usize));
            let truth = if !touched && (old != Truth::Unknown || !tested) {
                old
            } else {
                let after = terms.substitute(predicate.term, &updates);
                let after = before.put_in(terms, after);
                let truth = self.truth(terms, after, guard, facts);
                if truth == Truth::Unknown {
                    open.push((number, after));
                }
                truth
            };
            truths.push(truth);
        }
        for result in &mut results {
            result.truths = truths.clone();
        }
        match self.splitting {
            Splitting::Cartesian => results,
            Splitting::Boolean => self.split_open(terms, guard, facts, results, &open),
        }
    }

    pub(super) fn truth(
        &mut self,
        terms: &mut Terms,
        after: Term,
        guard: Term,
        facts: &Facts,
    ) -> Truth {
        match terms.as_const(after) {
            Some(0) => return Truth::No,
            Some(_) => return Truth::Yes,
            None => {}
        }
        let question = facts.relevant(terms, &[after, guard]);
        let refuted = terms.not(after);
        let both = terms.and(guard, refuted);
        if !self.queries.satisfiable(terms, question.clone(), both) {
            return Truth::Yes;
        }
        let both = terms.and(guard, after);
        match self.queries.satisfiable(terms, question, both) {
            true => Truth::Unknown,
            false => Truth::No,
        }
    }

    /// One result for each possible combination of what is open.
    fn split_open(
        &mut self,
        terms: &mut Terms,
        guard: Term,
        facts: &Facts,
        results: Vec<Data>,
        open: &[(usize, Term)],
    ) -> Vec<Data> {
        if open.is_empty() {
            return results;
        }
        let asked: Vec<Term> = open.iter().map(|&(_, term)| term).collect();
        let mut about = asked.clone();
        about.push(guard);
        let question = facts.relevant(terms, &about);
        let Some(cases) = self
            .queries
            .cases(terms, question, guard, asked, MOST_SPLITS)
        else {
            return results;
        };
        let mut split = Vec::new();
        for case in &cases {
            for result in &results {
                let mut result = result.clone();
                for (&(number, _), &value) in open.iter().zip(case) {
                    result.truths[number] = match value {
                        0 => Truth::No,
                        _ => Truth::Yes,
                    };
                }
                split.push(result);
            }
        }
        split
    }
}
