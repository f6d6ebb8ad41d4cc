//! Variables that are no counters: they take only values that the program names.
//!
//! Where a counter goes up to a million, the facts cannot be derived one by one. But what locks,
//! flags and waiting threads are like can be, if counters are left out and whatever is asked about
//! them is taken to hold.

use super::ranking::cyclic;
use super::rounds::Rounds;
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashSet;
use smt::horn::{Application, HornSystem, Rule};

/// Variables to which a round that can be repeated gives a value that it computes.
pub fn counters(terms: &Terms, rounds: &Rounds) -> FxHashSet<VarId> {
    let all: Vec<usize> = (0..rounds.rounds.len()).collect();
    let repeated: Vec<usize> = cyclic(rounds, &all).into_iter().flatten().collect();
    let mut counters: FxHashSet<VarId> = FxHashSet::default();
    loop {
        let before = counters.len();
        for &at in &repeated {
            let round = &rounds.rounds[at];
            for (&param, &value) in rounds.params(round.to).iter().zip(&round.after) {
                let Some(var) = terms.as_var(param).filter(|_| param != value) else {
                    continue;
                };
                if !is_chosen(terms, &counters, value) {
                    counters.insert(var);
                }
            }
        }
        if counters.len() == before {
            return counters;
        }
    }
}

/// Is the value a constant, that of another variable, or one of several such?
fn is_chosen(terms: &Terms, counters: &FxHashSet<VarId>, value: Term) -> bool {
    if let expr::Node::Ite(_, a, b) = terms.node(value) {
        return is_chosen(terms, counters, a) && is_chosen(terms, counters, b);
    }
    match terms.as_var(value) {
        Some(var) => !counters.contains(&var),
        None => terms.as_const(value).is_some(),
    }
}

/// Variables on whose values none of the given ones depends.
pub fn beside(terms: &Terms, rounds: &Rounds, given: &[Term]) -> FxHashSet<VarId> {
    let mut needed: FxHashSet<VarId> = FxHashSet::default();
    needed.extend(given.iter().flat_map(|&term| terms.vars(term)));
    let heads = rounds.system.rules().iter();
    let heads: Vec<&Application> = heads.filter_map(|rule| rule.head.as_ref()).collect();
    loop {
        let before = needed.len();
        for head in &heads {
            for (&param, &value) in rounds.params(head.pred).iter().zip(&head.args) {
                if terms.as_var(param).is_some_and(|var| needed.contains(&var)) {
                    needed.extend(terms.vars(value));
                }
            }
        }
        if needed.len() == before {
            break;
        }
    }
    let params = rounds.system.predicates().iter();
    let params = params.flat_map(|predicate| &predicate.params);
    let params = params.filter_map(|&param| terms.as_var(param));
    params.filter(|var| !needed.contains(var)).collect()
}

/// The clauses without some of the variables. A solution of them is one of the clauses themselves.
pub fn without(terms: &Terms, system: &HornSystem, left_out: &FxHashSet<VarId>) -> HornSystem {
    let is_kept = |param: &Term| {
        let var = terms.as_var(*param);
        var.is_none_or(|var| !left_out.contains(&var))
    };
    let kept: Vec<Vec<bool>> = system
        .predicates()
        .iter()
        .map(|predicate| predicate.params.iter().map(is_kept).collect())
        .collect();
    let mut smaller = HornSystem::new();
    for (predicate, kept) in system.predicates().iter().zip(&kept) {
        smaller.predicate(&predicate.name, chosen(&predicate.params, kept));
    }
    let application = |application: &Application| {
        Application::new(
            application.pred,
            chosen(&application.args, &kept[application.pred.index()]),
        )
    };
    for rule in system.rules() {
        smaller.rule(Rule::new(
            rule.body.iter().map(application).collect(),
            rule.constraint,
            rule.head.as_ref().map(application),
        ));
    }
    smaller
}

fn chosen(all: &[Term], kept: &[bool]) -> Vec<Term> {
    let both = all.iter().zip(kept).filter(|(_, kept)| **kept);
    both.map(|(&term, _)| term).collect()
}
