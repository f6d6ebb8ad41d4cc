//! The predicates that are known before an action, as formulas.

use super::Before;
use crate::Truth;
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashSet;

/// Known formulas with their variables.
pub(super) struct Facts {
    facts: Vec<(Term, Vec<VarId>)>,
}

impl Facts {
    /// The known predicates with the known values put in; `None` if they contradict.
    pub(super) fn of(terms: &mut Terms, before: &Before<'_>) -> Option<Facts> {
        let mut facts = Vec::new();
        for (number, predicate) in before.precision.predicates().iter().enumerate() {
            let truth = before.data.truth(number);
            if truth == Truth::Unknown {
                continue;
            }
            let mut fact = before.put_in(terms, predicate.term);
            if truth == Truth::No {
                fact = terms.not(fact);
            }
            match terms.as_const(fact) {
                Some(0) => return None,
                Some(_) => {}
                None => {
                    let vars = terms.vars(fact);
                    facts.push((fact, vars));
                }
            }
        }
        Some(Facts { facts })
    }

    /// One more formula, or its negation.
    pub(super) fn add(&mut self, terms: &mut Terms, formula: Term, holds: bool) {
        let fact = if holds { formula } else { terms.not(formula) };
        if terms.as_const(fact).is_none() {
            let vars = terms.vars(fact);
            self.facts.push((fact, vars));
        }
    }

    /// Those that are connected with the formulas by common variables.
    pub(super) fn relevant(&self, terms: &Terms, about: &[Term]) -> Vec<Term> {
        let mut reached: FxHashSet<VarId> = FxHashSet::default();
        for &term in about {
            reached.extend(terms.vars(term));
        }
        let mut taken = vec![false; self.facts.len()];
        loop {
            let mut grown = false;
            for (at, (_, vars)) in self.facts.iter().enumerate() {
                if !taken[at] && vars.iter().any(|var| reached.contains(var)) {
                    taken[at] = true;
                    grown = true;
                    reached.extend(vars);
                }
            }
            if !grown {
                break;
            }
        }
        let facts = self.facts.iter().zip(taken);
        let mut relevant: Vec<Term> = facts
            .filter(|(_, taken)| *taken)
            .map(|((fact, _), _)| *fact)
            .collect();
        relevant.sort_unstable();
        relevant.dedup();
        relevant
    }
}
