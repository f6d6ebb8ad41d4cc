//! Searches for a derivation of falsity with a plain solver, once one is known to exist.
//!
//! Only for linear systems, where each rule has at most one predicate in its body, so that a
//! derivation is a chain; and not for long, because a chain may have thousands of links.

use super::spacer::variables;
use super::{Application, HornSystem};
use crate::{Check, Solver};
use expr::{Op, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// The longest search after Spacer's refutation.
const PATIENCE: Duration = Duration::from_secs(5);

/// Numbers of rules and predicates are vectors of this width.
const NUMBER: u32 = 32;

/// The numbers of the rules of a shortest derivation of falsity, from the fact to the rule without
/// a head, if one is found within the limit. Only in linear systems.
pub fn derive(terms: &mut Terms, system: &HornSystem, limit: Duration) -> Option<Vec<usize>> {
    system.validate(terms).ok()?;
    let deadline = Instant::now() + limit;
    lengthen(terms, system, deadline).ok().flatten()
}

/// A shortest chain of rules, from a fact to falsity, if it is found in time.
///
/// An error if there is none.
pub(super) fn search(
    terms: &mut Terms,
    system: &HornSystem,
    deadline: Option<Instant>,
) -> Result<Option<Vec<usize>>, String> {
    let patience = Instant::now() + PATIENCE;
    let deadline = deadline.map_or(patience, |deadline| deadline.min(patience));
    lengthen(terms, system, deadline)
}

/// Looks for longer and longer chains.
fn lengthen(
    terms: &mut Terms,
    system: &HornSystem,
    deadline: Instant,
) -> Result<Option<Vec<usize>>, String> {
    if system.rules().iter().any(|rule| rule.body.len() > 1) {
        return Ok(None);
    }
    let mut unrolling = Unrolling::new(terms, system);
    loop {
        let last = unrolling.link();
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        unrolling.solver.set_timeout(Some(left));
        match unrolling.solver.check(unrolling.terms, &[last]) {
            Check::Sat => return Ok(unrolling.chain()),
            Check::Unknown(_) => return Ok(None),
            Check::Unsat if unrolling.solver.core() == Some(&[]) => {
                return Err("falsity cannot be derived, though Spacer says so".into());
            }
            Check::Unsat => {
                let goes_on = unrolling.terms.not(last);
                unrolling.solver.assert(unrolling.terms, goes_on);
            }
        }
    }
}

/// A predicate that holds for some values: which one, and for which values each would.
struct Reached {
    pred: Term,
    args: Vec<Vec<Term>>,
}

/// Chains of growing length, as assertions.
struct Unrolling<'a> {
    terms: &'a mut Terms,
    system: &'a HornSystem,
    solver: Solver,
    /// Which rule each link uses.
    choices: Vec<Term>,
    /// Where the chain has come to.
    reached: Option<Reached>,
    fresh: u32,
}

impl<'a> Unrolling<'a> {
    fn new(terms: &'a mut Terms, system: &'a HornSystem) -> Unrolling<'a> {
        let mut solver = Solver::new();
        for (&obj, &value) in system.bases() {
            solver.bind_base(obj, value);
        }
        Unrolling {
            terms,
            system,
            solver,
            choices: Vec::new(),
            reached: None,
            fresh: 0,
        }
    }

    /// Adds a link to the chain; the result says that it is the last one.
    fn link(&mut self) -> Term {
        let choice = self.fresh(Sort::Bv(NUMBER));
        let next = self.anywhere();
        let mut uses = Vec::new();
        let mut ends = Vec::new();
        for number in 0..self.system.rules().len() {
            // Facts start a chain, and nothing else does.
            let starts = self.system.rules()[number].body.is_empty();
            if starts != self.reached.is_none() {
                continue;
            }
            let used = self.use_rule(number, &next);
            let chosen = self.is(choice, number);
            let both = self.terms.and(chosen, used);
            match self.system.rules()[number].head {
                Some(_) => uses.push(both),
                None => ends.push(both),
            }
        }
        let (goes_on, ends) = (self.terms.or_all(uses), self.terms.or_all(ends));
        let last = self.fresh(Sort::Bool);
        let link = self.terms.ite(last, ends, goes_on);
        self.solver.assert(self.terms, link);
        self.choices.push(choice);
        self.reached = Some(next);
        last
    }

    fn use_rule(&mut self, number: usize, next: &Reached) -> Term {
        let system = self.system;
        let rule = &system.rules()[number];
        let mut renamed = FxHashMap::default();
        for (var, sort) in variables(self.terms, &rule.terms()) {
            let fresh = self.fresh(sort);
            renamed.insert(var, fresh);
        }
        let mut used = self.terms.substitute(rule.constraint, &renamed);
        let reached = self.reached.take();
        if let (Some(reached), Some(body)) = (&reached, rule.body.first()) {
            let holds = self.holds(reached, body, &renamed);
            used = self.terms.and(used, holds);
        }
        self.reached = reached;
        if let Some(head) = &rule.head {
            let holds = self.holds(next, head, &renamed);
            used = self.terms.and(used, holds);
        }
        used
    }

    /// The application is what was reached.
    fn holds(
        &mut self,
        reached: &Reached,
        application: &Application,
        renamed: &FxHashMap<VarId, Term>,
    ) -> Term {
        let index = application.pred.index();
        let mut holds = self.is(reached.pred, index);
        for (&arg, &value) in application.args.iter().zip(&reached.args[index]) {
            let arg = self.terms.substitute(arg, renamed);
            let equal = self.terms.eq(arg, value);
            holds = self.terms.and(holds, equal);
        }
        holds
    }

    /// Some predicate and some values.
    fn anywhere(&mut self) -> Reached {
        let pred = self.fresh(Sort::Bv(NUMBER));
        let system = self.system;
        let args = system.predicates().iter().map(|predicate| {
            let params = predicate.params.iter();
            params
                .map(|&param| self.fresh(self.terms.sort(param)))
                .collect()
        });
        let args = args.collect();
        Reached { pred, args }
    }

    fn is(&mut self, number: Term, value: usize) -> Term {
        let value = self.terms.bv(NUMBER, value as u64);
        self.terms.binary(Op::Eq, number, value)
    }

    fn fresh(&mut self, sort: Sort) -> Term {
        self.fresh += 1;
        self.terms.var(VarId(self.fresh), sort)
    }

    /// The rules of the chain, out of the model.
    fn chain(&mut self) -> Option<Vec<usize>> {
        let choices = std::mem::take(&mut self.choices);
        let values = choices
            .iter()
            .map(|&choice| self.solver.value(self.terms, choice));
        values.map(|value| usize::try_from(value?).ok()).collect()
    }
}
