//! A solution for the machine's arithmetic from one for integers without bounds.
//!
//! Spacer's formulas are conjunctions. Some parts do not survive that numbers wrap, and are not needed.
//! So parts that a rule breaks are left out until no rule breaks any (Flanagan and Leino, "Houdini",
//! FME 2001, doi:10.1007/3-540-45251-6_29); equalities modulo the width of their variables are
//! added first. What is left is a solution if it still excludes the errors.

use crate::clauses::Clauses;
use crate::linear::wrapping_equalities;
use expr::{Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use smt::horn::{Application, HornSystem};
use std::time::{Duration, Instant};

/// By predicate: the parts of its formula.
pub type Parts = Vec<Vec<Term>>;

/// The largest solution that is made of parts of the formulas; nothing if it does not exclude the
/// errors, or was not found in time.
pub fn repaired(
    terms: &mut Terms,
    clauses: &mut Clauses,
    formulas: &[Term],
    facts: &Parts,
    limit: Duration,
) -> Option<Vec<Term>> {
    let deadline = Instant::now() + limit;
    let mut parts: Parts = Vec::new();
    for (number, (predicate, &formula)) in
        clauses.system.predicates().iter().zip(formulas).enumerate()
    {
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
    let parts = houdini(terms, clauses, parts, deadline)?;
    let solution: Vec<Term> = parts.into_iter().map(|own| terms.and_all(own)).collect();
    let left = deadline.saturating_duration_since(Instant::now());
    let fits = smt::horn::is_solution(terms, &clauses.system, &solution, Some(left));
    fits.then_some(solution)
}

/// Leaves out parts until no rule breaks any; nothing if there was not enough time.
pub fn houdini(
    terms: &mut Terms,
    clauses: &mut Clauses,
    mut parts: Parts,
    deadline: Instant,
) -> Option<Parts> {
    let rules = clauses.system.rules().len();
    let mut open: Vec<usize> = (0..rules).collect();
    while let Some(rule) = open.pop() {
        let Some(head) = clauses.head(rule) else {
            continue;
        };
        let assumed = clauses
            .body(rule)
            .map_or(Vec::new(), |body| parts[body].clone());
        let kept = clauses.kept(terms, rule, &assumed, &parts[head], deadline)?;
        if kept.len() < parts[head].len() {
            parts[head] = kept;
            let uses = |&other: &usize| clauses.body(other) == Some(head);
            for other in (0..rules).filter(uses) {
                if !open.contains(&other) {
                    open.push(other);
                }
            }
        }
    }
    Some(parts)
}

/// A part of a formula for these arguments.
pub fn applied(
    terms: &mut Terms,
    system: &HornSystem,
    application: &Application,
    part: Term,
) -> Term {
    let params = &system.predicates()[application.pred.index()].params;
    let both = params.iter().zip(&application.args);
    let with: FxHashMap<VarId, Term> = both
        .filter_map(|(&param, &arg)| Some((terms.as_var(param)?, arg)))
        .collect();
    terms.substitute(part, &with)
}
