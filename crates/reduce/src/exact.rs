//! Invariants of clauses with the machine's arithmetic, without Spacer: first what always holds
//! ([`mod@crate::facts`]), then disjunctions on top of that ([`crate::disjuncts`]).

use crate::clauses::Clauses;
use crate::disjuncts::{Disjuncts, Failure};
use crate::facts::facts;
use crate::pool::Pool;
use crate::repair::Parts;
use expr::{Term, Terms, VarId};
use smt::horn::{HornSystem, is_solution};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The least time for facts, and for the check of invariants that were found.
pub const CHECKING: Duration = Duration::from_secs(4);

/// Clauses, and what was found out about them.
pub struct Exact {
    /// The clauses.
    pub clauses: Clauses,
    /// What always holds, as far as it was found out.
    pub facts: Parts,
    /// Has that been searched for?
    searched: bool,
    disjuncts: Disjuncts,
    /// Have all disjunctions of the literals been tried?
    stuck: bool,
}

impl Exact {
    /// Nothing has been found out yet.
    pub fn new(system: HornSystem, pool: Pool) -> Exact {
        Exact {
            facts: vec![Vec::new(); system.predicates().len()],
            searched: false,
            clauses: Clauses::new(system),
            disjuncts: Disjuncts::new(pool),
            stuck: false,
        }
    }

    /// Takes for granted what always holds.
    pub fn assume(&mut self, facts: &Parts) {
        for (known, new) in self.facts.iter_mut().zip(facts) {
            known.extend(new);
            known.sort_unstable();
            known.dedup();
        }
        for rule in 0..self.clauses.system.rules().len() {
            let body = self.clauses.body(rule);
            for &fact in body.into_iter().flat_map(|body| &facts[body]) {
                self.clauses.grant(rule, fact);
            }
        }
    }

    /// Has what always holds been searched for?
    pub fn has_facts(&self) -> bool {
        self.searched
    }

    /// Searches for what always holds, once; invariants, if that excludes the errors.
    pub fn by_facts(
        &mut self,
        terms: &mut Terms,
        naturals: &BTreeSet<VarId>,
        time: Duration,
    ) -> Option<Vec<Term>> {
        if self.searched {
            return None;
        }
        let time = time.max(CHECKING);
        let literals = &self.disjuncts.pool.literals;
        let deadline = Instant::now() + time;
        let found = facts(terms, &mut self.clauses, literals, naturals, deadline)?;
        let nothing = vec![terms.bool(true); found.len()];
        self.assume(&found);
        self.searched = true;
        self.solution(terms, &nothing, time)
    }

    /// Searches for disjunctions on top of what always holds.
    pub fn by_disjuncts(&mut self, terms: &mut Terms, time: Duration) -> Option<Vec<Term>> {
        if self.stuck {
            return None;
        }
        let deadline = Instant::now() + time;
        let found = self.disjuncts.search(terms, &mut self.clauses, deadline);
        self.stuck = found.as_ref().err() == Some(&Failure::Stuck);
        self.solution(terms, &found.ok()?, time)
    }

    /// Formulas together with the facts, if that is a solution.
    pub fn solution(
        &self,
        terms: &mut Terms,
        formulas: &[Term],
        time: Duration,
    ) -> Option<Vec<Term>> {
        let mut all = formulas.to_vec();
        for (formula, own) in all.iter_mut().zip(&self.facts) {
            let own = terms.and_all(own.iter().copied());
            *formula = terms.and(own, *formula);
        }
        let limit = Some(time.max(CHECKING));
        is_solution(terms, &self.clauses.system, &all, limit).then_some(all)
    }

    /// Takes the parts of formulas into the pool.
    pub fn learn(&mut self, terms: &mut Terms, formulas: &[Term]) {
        for (pred, &formula) in formulas.iter().enumerate() {
            let new = self.disjuncts.pool.learn(terms, pred, formula);
            self.stuck &= !new;
        }
    }
}
