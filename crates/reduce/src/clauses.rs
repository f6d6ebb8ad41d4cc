//! Questions about single rules of a system of clauses, to a plain solver.
//!
//! Formulas about a body are over the parameters of its predicate, which are its arguments.

use crate::repair::applied;
use expr::{Term, Terms};
use rustc_hash::FxHashMap;
use smt::horn::HornSystem;
use smt::{Check, Solver};
use std::time::Instant;

/// Rules, and what is taken for granted before them.
pub struct Clauses {
    /// The rules.
    pub system: HornSystem,
    /// By rule: what always holds before it.
    granted: Vec<Vec<Term>>,
    /// By rule and formula about its head: the same in terms of what was before.
    before: FxHashMap<(usize, Term), Term>,
}

impl Clauses {
    /// Nothing is taken for granted yet.
    pub fn new(system: HornSystem) -> Clauses {
        Clauses {
            granted: vec![Vec::new(); system.rules().len()],
            before: FxHashMap::default(),
            system,
        }
    }

    /// Takes for granted what always holds before a rule.
    pub fn grant(&mut self, rule: usize, fact: Term) {
        self.granted[rule].push(fact);
    }

    /// A solver for the questions about a rule that is taken where some formulas hold. It is a new one: all
    /// that was ever asked of an old one makes its answers slow.
    pub fn solver(&self, terms: &Terms, rule: usize, assumed: &[Term]) -> Solver {
        let mut solver = Solver::new();
        for (&object, &base) in self.system.bases() {
            solver.bind_base(object, base);
        }
        solver.assert(terms, self.system.rules()[rule].constraint);
        for &formula in self.granted[rule].iter().chain(assumed) {
            solver.assert(terms, formula);
        }
        solver
    }

    /// The predicate in the body of a rule.
    pub fn body(&self, rule: usize) -> Option<usize> {
        let body = self.system.rules()[rule].body.first();
        body.map(|body| body.pred.index())
    }

    /// The predicate in the head of a rule.
    pub fn head(&self, rule: usize) -> Option<usize> {
        let head = self.system.rules()[rule].head.as_ref();
        head.map(|head| head.pred.index())
    }

    /// A formula about the head of a rule in terms of what was before.
    pub fn before(&mut self, terms: &mut Terms, rule: usize, formula: Term) -> Term {
        if let Some(&known) = self.before.get(&(rule, formula)) {
            return known;
        }
        let before = match &self.system.rules()[rule].head {
            Some(head) => applied(terms, &self.system, head, formula),
            None => formula,
        };
        self.before.insert((rule, formula), before);
        before
    }

    /// Those of the formulas that hold after a rule which is taken where some others hold. `None` if there was
    /// not enough time.
    pub fn kept(
        &mut self,
        terms: &mut Terms,
        rule: usize,
        assumed: &[Term],
        formulas: &[Term],
        deadline: Instant,
    ) -> Option<Vec<Term>> {
        let mut open: Vec<(Term, Term)> = Vec::new();
        for &formula in formulas {
            open.push((formula, self.before(terms, rule, formula)));
        }
        let mut solver = self.solver(terms, rule, assumed);
        loop {
            let all = terms.and_all(open.iter().map(|&(_, before)| before));
            let broken = terms.not(all);
            if terms.as_const(broken) == Some(0)
                || !is_possible(&mut solver, terms, &[broken], deadline)?
            {
                break;
            }
            let count = open.len();
            open.retain(|&(_, before)| solver.value(terms, before) == Some(1));
            if open.len() == count {
                return None;
            }
        }
        Some(open.into_iter().map(|(formula, _)| formula).collect())
    }
}

/// Can some formulas hold together with what a solver was told? Nothing if there was not enough time.
pub fn is_possible(
    solver: &mut Solver,
    terms: &Terms,
    formulas: &[Term],
    deadline: Instant,
) -> Option<bool> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return None;
    }
    solver.set_timeout(Some(left));
    match solver.check(terms, formulas) {
        Check::Sat => Some(true),
        Check::Unsat => Some(false),
        Check::Unknown(_) => None,
    }
}
