//! Edges of one location that rule each other out.

use expr::Term;
use xcfa::{Label, Xcfa};

/// Do the edges form a tree of decisions: the same labels up to conditions that rule each other
/// out, and so on in every group? Then one that is taken has read all that decided against the
/// others.
pub fn decides(xcfa: &Xcfa, lists: &[&[Label]]) -> bool {
    let [first, others @ ..] = lists else {
        return true;
    };
    if others.is_empty() {
        return true;
    }
    let common = |at: &usize| others.iter().all(|list| list.get(*at) == first.get(*at));
    let Some(differ) = (0..first.len()).find(|at| !common(at)) else {
        return false;
    };
    let mut groups: Vec<(Term, Vec<&[Label]>)> = Vec::new();
    for list in lists {
        let Some(&Label::Assume(cond)) = list.get(differ) else {
            return false;
        };
        let rest = &list[differ + 1..];
        match groups.iter_mut().find(|(known, _)| *known == cond) {
            Some((_, group)) => group.push(rest),
            None => groups.push((cond, vec![rest])),
        }
    }
    let apart = |at: usize| {
        let (cond, before) = (groups[at].0, &groups[..at]);
        before.iter().all(|(other, _)| rule_out(xcfa, *other, cond))
    };
    (0..groups.len()).all(apart) && groups.iter().all(|(_, group)| decides(xcfa, group))
}

/// Can the two conditions never hold together?
fn rule_out(xcfa: &Xcfa, a: Term, b: Term) -> bool {
    if is_negation(xcfa, a, b) || is_negation(xcfa, b, a) {
        return true;
    }
    let mut solver = smt::Solver::new();
    solver.set_timeout(Some(std::time::Duration::from_millis(100)));
    solver.assert(&xcfa.terms, a);
    solver.assert(&xcfa.terms, b);
    solver.check(&xcfa.terms, &[]) == smt::Check::Unsat
}

fn is_negation(xcfa: &Xcfa, a: Term, b: Term) -> bool {
    matches!(xcfa.terms.node(a), expr::Node::Unary(expr::Op::Not, inner) if inner == b)
}
