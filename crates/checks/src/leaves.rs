//! The comparisons that a condition is made of.

use expr::{Node, Op, Sort, Term, Terms};

/// Larger comparisons are not taken apart or kept.
const LARGEST: usize = 60;

/// All Boolean parts of a condition that are not made of Boolean parts themselves.
pub fn leaves(terms: &Terms, condition: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut open = vec![condition];
    let mut steps = 0;
    while let Some(term) = open.pop() {
        steps += 1;
        if steps > 400 {
            break;
        }
        match terms.node(term) {
            Node::Unary(Op::Not, a) => open.push(a),
            Node::Binary(Op::And | Op::Or, a, b) => open.extend([a, b]),
            Node::Binary(Op::Eq, a, b) if terms.sort(a) == Sort::Bool => open.extend([a, b]),
            Node::Ite(c, a, b) if terms.sort(a) == Sort::Bool => open.extend([c, a, b]),
            Node::Const(..) => {}
            Node::Binary(_, a, b) => {
                conditions_inside(terms, a, &mut open);
                conditions_inside(terms, b, &mut open);
                keep(terms, term, &mut found);
            }
            _ => keep(terms, term, &mut found),
        }
    }
    found
}

/// The conditions of choices between values: `(c ? 1 : 0) == 0` is about `c`.
fn conditions_inside(terms: &Terms, value: Term, open: &mut Vec<Term>) {
    if let Node::Ite(c, a, b) = terms.node(value) {
        open.push(c);
        conditions_inside(terms, a, open);
        conditions_inside(terms, b, open);
    }
}

fn keep(terms: &Terms, term: Term, found: &mut Vec<Term>) {
    if !found.contains(&term) && is_small(terms, term) {
        found.push(term);
    }
}

/// Is it worth keeping?
pub fn is_small(terms: &Terms, term: Term) -> bool {
    let mut size = 0;
    terms.for_each_subterm(term, &mut |_, _| size += 1);
    size <= LARGEST
}
