//! A solution for the machine's arithmetic from one for integers without bounds.
//!
//! Spacer's formulas are conjunctions. Some parts do not survive that numbers wrap, and are not needed.
//! So parts that a rule breaks are left out until no rule breaks any (Flanagan and Leino, "Houdini",
//! FME 2001, doi:10.1007/3-540-45251-6_29); equalities modulo the width of their variables are
//! added first. What is left is a solution if it still excludes the errors.

use crate::linear::wrapping_equalities;
use expr::{Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use smt::horn::{HornSystem, Parts, Rule};
use smt::{Check, Solver};
use std::time::{Duration, Instant};

/// The largest solution that is made of parts of the formulas; nothing if it does not exclude the
/// errors, or was not found in time.
pub fn repaired(
    terms: &mut Terms,
    system: &HornSystem,
    formulas: &[Term],
    facts: &Parts,
    limit: Duration,
) -> Option<Vec<Term>> {
    let deadline = Instant::now() + limit;
    let mut parts: Parts = Vec::new();
    for (number, (predicate, &formula)) in system.predicates().iter().zip(formulas).enumerate() {
        let mut own = terms.conjuncts(formula);
        let sorts: FxHashMap<VarId, Sort> = predicate
            .params
            .iter()
            .filter_map(|&param| Some((terms.as_var(param)?, terms.sort(param))))
            .collect();
        let sort_of = |var: VarId| sorts.get(&var).copied().unwrap_or(Sort::Bool);
        own.extend(wrapping_equalities(terms, &own.clone(), &sort_of));
        own.extend(&facts[number]);
        own.sort_unstable();
        own.dedup();
        parts.push(own);
    }
    let parts = houdini(terms, system, parts, deadline)?;
    let solution: Vec<Term> = parts.into_iter().map(|own| terms.and_all(own)).collect();
    let left = deadline.saturating_duration_since(Instant::now());
    let fits = smt::horn::is_solution(terms, system, &solution, Some(left));
    fits.then_some(solution)
}

/// Leaves out parts until no rule breaks any; nothing if there was not enough time.
pub fn houdini(
    terms: &mut Terms,
    system: &HornSystem,
    mut parts: Parts,
    deadline: Instant,
) -> Option<Parts> {
    let mut open: Vec<usize> = (0..system.rules().len()).collect();
    while let Some(number) = open.pop() {
        let rule = &system.rules()[number];
        let Some(head) = &rule.head else { continue };
        let index = head.pred.index();
        let before = parts[index].len();
        weaken(terms, system, rule, &mut parts, deadline)?;
        if parts[index].len() < before {
            for (other, rule) in system.rules().iter().enumerate() {
                let uses = rule.body.iter().any(|body| body.pred.index() == index);
                if uses && !open.contains(&other) {
                    open.push(other);
                }
            }
        }
    }
    Some(parts)
}

/// Leaves out the parts of the head that a rule breaks.
fn weaken(
    terms: &mut Terms,
    system: &HornSystem,
    rule: &Rule,
    parts: &mut Parts,
    deadline: Instant,
) -> Option<()> {
    let head = rule.head.as_ref()?;
    let mut solver = Solver::new();
    for (&object, &base) in system.bases() {
        solver.bind_base(object, base);
    }
    solver.assert(terms, rule.constraint);
    for body in &rule.body {
        for part in parts[body.pred.index()].clone() {
            let part = system.instance(terms, body, part);
            solver.assert(terms, part);
        }
    }
    let index = head.pred.index();
    let own = parts[index].clone();
    let mut own: Vec<(Term, Term)> = own
        .into_iter()
        .map(|part| (part, system.instance(terms, head, part)))
        .collect();
    loop {
        let all = terms.and_all(own.iter().map(|&(_, here)| here));
        let broken = terms.not(all);
        if terms.as_const(broken) == Some(0) {
            break;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        solver.set_timeout(Some(left));
        match solver.check(terms, &[broken]) {
            Check::Unsat => break,
            Check::Unknown(_) => return None,
            Check::Sat => {
                let before = own.len();
                own.retain(|&(_, here)| solver.value(terms, here) == Some(1));
                if own.len() == before {
                    return None;
                }
            }
        }
    }
    parts[index] = own.into_iter().map(|(part, _)| part).collect();
    Some(())
}
