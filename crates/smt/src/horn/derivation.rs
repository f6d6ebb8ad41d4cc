//! Reads a derivation of falsity and checks it with a plain solver.
//!
//! Only chains are read, where each rule has at most one predicate in its body: for trees, the
//! order in which Spacer names the rules does not say how they hang together.

use super::HornSystem;
use super::spacer::variables;
use crate::{Check, Solver};
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// The rules that Spacer names, the first fact first, if they make a chain to falsity.
pub(super) fn chain(system: &HornSystem, names: &str) -> Option<Vec<usize>> {
    let mut rules = Vec::new();
    for name in names.split(';') {
        // Rules of Spacer's own, such as the one for the query, have no name.
        if name.is_empty() || name == "<null>" {
            continue;
        }
        let number: usize = name.strip_prefix('r')?.parse().ok()?;
        rules.push(number);
    }
    rules.reverse();
    let mut reached = None;
    for (position, &number) in rules.iter().enumerate() {
        let rule = system.rules().get(number)?;
        let needed = match rule.body.as_slice() {
            [] => None,
            [single] => Some(single.pred),
            _ => return None,
        };
        let last = position + 1 == rules.len();
        if needed != reached || last != rule.head.is_none() {
            return None;
        }
        reached = rule.head.as_ref().map(|head| head.pred);
    }
    (!rules.is_empty()).then_some(rules)
}

/// `Sat` if there are values for which every rule of the chain applies.
pub(super) fn replay(
    terms: &mut Terms,
    system: &HornSystem,
    chain: &[usize],
    deadline: Option<Instant>,
) -> Check {
    let mut solver = Solver::new();
    for (&obj, &value) in system.bases() {
        solver.bind_base(obj, value);
    }
    let mut fresh = 0;
    let mut reached: Vec<Term> = Vec::new();
    for &number in chain {
        let rule = &system.rules()[number];
        // Each use of a rule has variables of its own.
        let mut renamed = FxHashMap::default();
        for (var, sort) in variables(terms, &rule.terms()) {
            renamed.insert(var, terms.var(VarId(fresh), sort));
            fresh += 1;
        }
        let constraint = terms.substitute(rule.constraint, &renamed);
        solver.assert(terms, constraint);
        for body in &rule.body {
            for (&arg, &value) in body.args.iter().zip(&reached) {
                let arg = terms.substitute(arg, &renamed);
                let equal = terms.eq(arg, value);
                solver.assert(terms, equal);
            }
        }
        let args = rule.head.iter().flat_map(|head| head.args.iter());
        reached = args.map(|&arg| terms.substitute(arg, &renamed)).collect();
    }
    if let Some(deadline) = deadline {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Check::Unknown("timeout".into());
        }
        solver.set_timeout(Some(left));
    }
    solver.check(terms, &[])
}
