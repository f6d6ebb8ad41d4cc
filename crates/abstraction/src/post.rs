//! What an action does to what is known about the data.
//!
//! Values come first: a condition or a new value that evaluates is never shown to a solver. What
//! is left over is asked with the known values put in and only those known predicates that share
//! variables with the question; answers are kept by question ([`crate::query`]).
//!
//! Law: if a state that `data` stands for can take the action, one of the results of
//! [`Post::post`] stands for the state after it.

mod bystander;
mod facts;
mod learn;
mod predicates;

pub use bystander::twin;

use crate::query::Queries;
use crate::{Action, ActionId, Data, Evaluator, Precision, Program};
use expr::{Term, Terms, VarId};
use facts::Facts;
use rustc_hash::FxHashMap;

/// What to do about predicates that the action leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Splitting {
    /// One state, in which they are unknown.
    #[default]
    Cartesian,
    /// One state for each combination that is possible.
    Boolean,
}

/// More combinations of values than this are not distinguished.
const MOST_VALUES: usize = 8;

/// Computes successors.
pub struct Post {
    splitting: Splitting,
    evaluator: Evaluator,
    queries: Queries,
}

/// What is known before an action: values, by variable.
struct Before<'a> {
    precision: &'a Precision,
    data: &'a Data,
    /// Values that follow from the condition of the action.
    learnt: FxHashMap<VarId, u64>,
}

impl Before<'_> {
    fn value(&self, var: VarId) -> Option<u64> {
        let slot = self.precision.slot(var);
        let known = slot.and_then(|slot| self.data.value(slot));
        known.or_else(|| self.learnt.get(&var).copied())
    }

    /// The term with the known values put in.
    fn put_in(&self, terms: &mut Terms, term: Term) -> Term {
        terms.map_leaves(term, &mut |terms, leaf| {
            let value = self.value(terms.as_var(leaf)?)?;
            Some(terms.constant(terms.sort(leaf), value))
        })
    }
}

impl Post {
    /// With a solver of its own.
    pub fn new(splitting: Splitting) -> Post {
        Post {
            splitting,
            evaluator: Evaluator::default(),
            queries: Queries::new(),
        }
    }

    /// From now on predicates that are left open are split; was that new?
    pub fn split(&mut self) -> bool {
        std::mem::replace(&mut self.splitting, Splitting::Boolean) != Splitting::Boolean
    }

    /// Does the abstraction track combinations of truth values?
    pub fn is_split(&self) -> bool {
        self.splitting == Splitting::Boolean
    }

    /// How many questions a solver has answered.
    pub fn solver_calls(&self) -> u64 {
        self.queries.calls()
    }

    /// Does the condition hold in all states of `data`? Decided by the known values alone.
    pub fn guard(
        &mut self,
        terms: &Terms,
        precision: &Precision,
        data: &Data,
        action: &Action,
    ) -> Option<bool> {
        self.evaluator.forget();
        let env = |var| precision.slot(var).and_then(|slot| data.value(slot));
        let value = self.evaluator.eval(terms, action.guard, &env);
        value.map(|value| value != 0)
    }

    /// What is known after the action, from what was known before it.
    pub fn post(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        precision: &Precision,
        data: &Data,
        action: ActionId,
    ) -> Vec<Data> {
        let action = &program[action];
        let mut before = Before {
            precision,
            data,
            learnt: FxHashMap::default(),
        };
        let Some(guard) = self.learn(terms, action.guard, &mut before) else {
            return Vec::new();
        };
        let Some(facts) = Facts::of(terms, &before) else {
            return Vec::new();
        };
        let question = facts.relevant(terms, &[guard]);
        if !self.queries.satisfiable(terms, question, guard) {
            return Vec::new();
        }
        let mut results = self.values(terms, action, &before, guard, &facts);
        if !precision.predicates().is_empty() {
            results = self.truths(terms, action, &before, guard, &facts, results);
        }
        let dead = program.dead(action.target);
        for result in &mut results {
            forget_dead(precision, dead, result);
        }
        results
    }

    /// The values after the action; several if some are unknown but few are possible.
    fn values(
        &mut self,
        terms: &mut Terms,
        action: &Action,
        before: &Before<'_>,
        guard: Term,
        facts: &Facts,
    ) -> Vec<Data> {
        let mut values = before.data.values.clone();
        values.resize(before.precision.vars().len(), None);
        for (&var, &value) in &before.learnt {
            if let Some(slot) = before.precision.slot(var) {
                values[slot] = Some(value);
            }
        }
        let mut open = Vec::new();
        self.evaluator.forget();
        let env = |var| before.value(var);
        for &(var, term) in &action.updates {
            if let Some(slot) = before.precision.slot(var) {
                values[slot] = self.evaluator.eval(terms, term, &env);
                if values[slot].is_none() {
                    open.push((slot, term));
                }
            }
        }
        let result = Data {
            values,
            truths: Vec::new(),
        };
        match open.is_empty() {
            true => vec![result],
            false => self.enumerate(terms, before, guard, facts, result, &open),
        }
    }

    fn enumerate(
        &mut self,
        terms: &mut Terms,
        before: &Before<'_>,
        guard: Term,
        facts: &Facts,
        result: Data,
        open: &[(usize, Term)],
    ) -> Vec<Data> {
        let mut wanted = Vec::new();
        for &(slot, term) in open {
            let term = before.put_in(terms, term);
            // Something plainly arbitrary has too many values, and asking would take time.
            if terms.as_var(term).is_none() || terms.width(term) == 1 {
                wanted.push((slot, term));
            }
        }
        if wanted.is_empty() {
            return vec![result];
        }
        let asked: Vec<Term> = wanted.iter().map(|&(_, term)| term).collect();
        let mut about = asked.clone();
        about.push(guard);
        let question = facts.relevant(terms, &about);
        match self
            .queries
            .cases(terms, question, guard, asked, MOST_VALUES)
        {
            None => vec![result],
            Some(cases) => cases
                .iter()
                .map(|case| {
                    let mut result = result.clone();
                    for (&(slot, _), &value) in wanted.iter().zip(case) {
                        result.values[slot] = Some(value);
                    }
                    result
                })
                .collect(),
        }
    }
}

/// What is never used again need not be known.
fn forget_dead(precision: &Precision, dead: &dataflow::BitSet, data: &mut Data) {
    for (slot, var) in precision.vars().iter().enumerate() {
        if dead.contains(var.0 as usize) {
            data.values[slot] = None;
        }
    }
    let predicates = precision.predicates().iter().zip(&mut data.truths);
    for (predicate, truth) in predicates {
        if predicate.vars.intersects(dead) {
            *truth = crate::Truth::Unknown;
        }
    }
}
