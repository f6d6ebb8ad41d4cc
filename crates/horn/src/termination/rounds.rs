//! The steps of a program between situations of all its threads.

use crate::control::ThreadPosition;
use crate::rule::Safety;
use expr::{Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use smt::horn::{Application, HornSystem, PredId, Rule};
use std::cell::Cell;

/// A step from one situation to another.
#[derive(Clone, Debug)]
pub struct Round {
    /// Which step it is, by number.
    pub step: usize,
    /// The number of the thread that does it.
    pub thread: usize,
    /// The situation before.
    pub from: PredId,
    /// The situation after.
    pub to: PredId,
    /// When it can be done, over the parameters of the situation before.
    pub guard: Term,
    /// The parameters of the situation after, over those before.
    pub after: Vec<Term>,
}

/// All steps, and the clauses that say what can be reached by them.
pub struct Rounds {
    /// S1 to S5; wake-ups may be spurious.
    pub system: HornSystem,
    /// Clauses without a head: what must not be reached in any case.
    pub queries: Vec<Rule>,
    /// By clause: the step that it stands for.
    pub steps: Vec<Option<usize>>,
    /// No wake-up is spurious.
    pub rounds: Vec<Round>,
    /// By predicate: where the threads are, if it is a situation.
    pub places: Vec<Option<Vec<ThreadPosition>>>,
    /// The number of an unused variable.
    next: Cell<u32>,
}

impl Rounds {
    /// Takes the clauses of all threads together apart.
    pub fn of(
        terms: &mut Terms,
        safety: Safety,
        thread_of: impl Fn(usize) -> usize,
        spurious: Option<VarId>,
        free: VarId,
    ) -> Rounds {
        let mut rounds = Rounds {
            next: Cell::new(free.0),
            system: HornSystem::new(),
            queries: Vec::new(),
            steps: Vec::new(),
            rounds: Vec::new(),
            places: vec![None; safety.system.predicates().len()],
        };
        for predicate in safety.system.predicates() {
            let params = predicate.params.clone();
            rounds.system.predicate(&predicate.name, params);
        }
        for ((_, places), pred) in safety.invariants {
            rounds.places[pred.index()] = Some(places);
        }
        for (rule, step) in safety.system.rules().iter().zip(safety.steps) {
            let mut reached = rule.clone();
            reached.constraint = with_wakeups(terms, rule.constraint, spurious, true);
            let Some(head) = &rule.head else {
                rounds.queries.push(reached);
                continue;
            };
            if let (Some(step), [before]) = (step, &rule.body[..]) {
                let guard = with_wakeups(terms, rule.constraint, spurious, false);
                rounds.rounds.push(Round {
                    step,
                    thread: thread_of(step),
                    from: before.pred,
                    to: head.pred,
                    guard,
                    after: head.args.clone(),
                });
            }
            rounds.system.rule(reached);
            rounds.steps.push(step);
        }
        let never = terms.bool(false);
        rounds.rounds.retain(|round| round.guard != never);
        rounds
    }

    /// A new variable.
    pub fn fresh(&self, terms: &mut Terms, sort: Sort) -> Term {
        let var = VarId(self.next.get());
        self.next.set(var.0 + 1);
        terms.var(var, sort)
    }

    /// The parameters of a situation.
    pub fn params(&self, node: PredId) -> &[Term] {
        &self.system.predicates()[node.index()].params
    }

    /// That a situation has come about.
    pub fn here(&self, pred: PredId) -> Application {
        let args = self.params(pred).to_vec();
        Application { pred, args }
    }

    /// A term over the situation after a step, as one over the situation before.
    pub fn later(&self, terms: &mut Terms, round: &Round, term: Term) -> Term {
        let params = self.params(round.to).iter().zip(&round.after);
        let with: FxHashMap<VarId, Term> = params
            .filter_map(|(&param, &value)| Some((terms.as_var(param)?, value)))
            .collect();
        terms.substitute(term, &with)
    }

    /// Is the term about variables of the situation alone?
    pub fn knows(&self, terms: &Terms, node: PredId, term: Term) -> bool {
        let params = self.params(node);
        let known = |var: VarId| params.iter().any(|&param| terms.as_var(param) == Some(var));
        terms.vars(term).into_iter().all(known)
    }

    /// The clauses with some more of them.
    pub fn with(&self, queries: &[Rule]) -> HornSystem {
        let mut system = self.system.clone();
        for query in queries {
            system.rule(query.clone());
        }
        system
    }
}

/// A condition where wake-ups may be spurious, or are not.
pub fn with_wakeups(terms: &mut Terms, term: Term, spurious: Option<VarId>, allowed: bool) -> Term {
    let Some(var) = spurious else { return term };
    let allowed = terms.bool(allowed);
    terms.substitute(term, &FxHashMap::from_iter([(var, allowed)]))
}
