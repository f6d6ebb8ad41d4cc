//! Checks a solution clause by clause with a plain solver, trusting nothing of Spacer's.

use super::HornSystem;
use crate::{Check, Solver};
use expr::{Node, Op, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// Is this a solution? One formula for each predicate, over its formal parameters.
pub fn is_solution(
    terms: &mut Terms,
    system: &HornSystem,
    solution: &[Term],
    limit: Option<Duration>,
) -> bool {
    check_solution(terms, system, solution, limit) == Check::Unsat
}

/// The same: `Unsat` if it is one, `Sat` if it is none.
pub fn check_solution(
    terms: &mut Terms,
    system: &HornSystem,
    solution: &[Term],
    limit: Option<Duration>,
) -> Check {
    let deadline = limit.map(|limit| Instant::now() + limit);
    check(terms, system, solution, deadline)
}

/// `Unsat` if every rule holds, `Sat` if one does not.
pub(super) fn check(
    terms: &mut Terms,
    system: &HornSystem,
    solution: &[Term],
    deadline: Option<Instant>,
) -> Check {
    for rule in system.rules() {
        // A rule holds if no values make its body true and its head false.
        let mut broken = vec![rule.constraint];
        for application in &rule.body {
            let formula = solution[application.pred.index()];
            broken.push(system.instance(terms, application, formula));
        }
        if let Some(head) = &rule.head {
            let head = system.instance(terms, head, solution[head.pred.index()]);
            broken.push(terms.not(head));
        }
        if is_contradiction(terms, &broken) {
            continue;
        }
        // A fresh solver for each rule: nothing of one check can disturb another.
        let mut solver = Solver::new();
        for (&obj, &value) in system.bases() {
            solver.bind_base(obj, value);
        }
        for &part in &broken {
            solver.assert(terms, part);
        }
        if let Some(deadline) = deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Check::Unknown("timeout".into());
            }
            solver.set_timeout(Some(left));
        }
        match solver.check(terms, &[]) {
            Check::Unsat => {}
            other => return other,
        }
    }
    Check::Unsat
}

/// Does putting in what variables are said to be show that the parts exclude each other? Most
/// clauses about flags and locks need no solver.
fn is_contradiction(terms: &mut Terms, parts: &[Term]) -> bool {
    let mut parts: Vec<Term> = parts.to_vec();
    let mut known: FxHashMap<VarId, Term> = FxHashMap::default();
    loop {
        let mut next = Vec::new();
        let before = known.len();
        for part in parts {
            for part in terms.conjuncts(part) {
                let part = terms.substitute(part, &known);
                if terms.as_const(part) == Some(0) {
                    return true;
                }
                match value_of(terms, part) {
                    Some((var, value)) => {
                        known.insert(var, value);
                    }
                    None => next.push(part),
                }
            }
        }
        if known.len() == before {
            return false;
        }
        parts = next;
    }
}

/// The variable and the constant that it is said to be.
fn value_of(terms: &mut Terms, part: Term) -> Option<(VarId, Term)> {
    if let Some(var) = terms.as_var(part) {
        return Some((var, terms.bool(true)));
    }
    match terms.node(part) {
        Node::Binary(Op::Eq, a, b) if terms.as_const(b).is_some() => Some((terms.as_var(a)?, b)),
        Node::Binary(Op::Eq, a, b) if terms.as_const(a).is_some() => Some((terms.as_var(b)?, a)),
        Node::Unary(Op::Not, a) => Some((terms.as_var(a)?, terms.bool(false))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::horn::{Application, Rule};
    use expr::Sort;

    /// A wrong solution is noticed, whichever rule it breaks.
    #[test]
    fn only_solutions_pass() {
        let mut terms = Terms::new();
        let x = terms.var(VarId(0), Sort::Bv(4));
        let mut system = HornSystem::new();
        let pred = system.predicate("inv", vec![x]);
        let (three, seven) = (terms.bv(4, 3), terms.bv(4, 7));
        let (at_three, at_seven) = (terms.eq(x, three), terms.eq(x, seven));
        let here = Application::new(pred, vec![x]);
        system.rule(Rule::new(vec![], at_three, Some(here.clone())));
        system.rule(Rule::new(vec![here], at_seven, None));
        let (all, none) = (terms.bool(true), terms.bool(false));
        for (formula, expected) in [
            (at_three, Check::Unsat),
            (all, Check::Sat),
            (none, Check::Sat),
            (at_seven, Check::Sat),
        ] {
            assert_eq!(check(&mut terms, &system, &[formula], None), expected);
        }
    }
}
