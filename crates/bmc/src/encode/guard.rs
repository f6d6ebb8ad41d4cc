//! Path conditions: conjunctions that meet where paths meet.

use expr::{Node, Op, Term, Terms};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Takes conjunctions apart, and remembers how.
#[derive(Default)]
pub struct Guards {
    parts: FxHashMap<Term, Rc<[Term]>>,
}

impl Guards {
    /// The conjuncts of a condition, sorted; none for one that always holds.
    pub fn parts(&mut self, terms: &Terms, guard: Term) -> Rc<[Term]> {
        if let Some(known) = self.parts.get(&guard) {
            return Rc::clone(known);
        }
        let mut parts = Vec::new();
        let mut work = vec![guard];
        while let Some(term) = work.pop() {
            match terms.node(term) {
                Node::Binary(Op::And, a, b) => work.extend([a, b]),
                Node::Const(_, 1) => {}
                _ => parts.push(term),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        let parts: Rc<[Term]> = parts.into();
        self.parts.insert(guard, Rc::clone(&parts));
        parts
    }

    /// Does `a` certainly imply `b`? A `false` says nothing.
    pub fn implies(&mut self, terms: &Terms, a: Term, b: Term) -> bool {
        if a == b || terms.as_const(b) == Some(1) || terms.as_const(a) == Some(0) {
            return true;
        }
        let (a, b) = (self.parts(terms, a), self.parts(terms, b));
        b.iter().all(|part| a.binary_search(part).is_ok())
    }

    /// Can `a` and `b` certainly not hold together? A `false` says nothing.
    pub fn exclude(&mut self, terms: &Terms, a: Term, b: Term) -> bool {
        let (a, b) = (self.parts(terms, a), self.parts(terms, b));
        a.iter()
            .any(|&x| b.iter().any(|&y| contradict(terms, x, y)))
    }

    /// `a or b`, and a condition that tells which of the two holds given that one does.
    ///
    /// Law: `a` and `b` do not hold together.
    pub fn meet(&mut self, terms: &mut Terms, a: Term, b: Term) -> (Term, Term) {
        let (left, right) = (self.parts(terms, a), self.parts(terms, b));
        let only = |of: &[Term], other: &[Term]| -> Vec<Term> {
            of.iter()
                .copied()
                .filter(|part| other.binary_search(part).is_err())
                .collect()
        };
        let (only_a, only_b) = (only(&left, &right), only(&right, &left));
        let which = match (&*only_a, &*only_b) {
            ([part], _) => *part,
            (_, [part]) => terms.not(*part),
            _ => terms.and_all(only_a.iter().copied()),
        };
        let both: Vec<Term> = left
            .iter()
            .copied()
            .filter(|part| right.binary_search(part).is_ok())
            .collect();
        let rest_a = terms.and_all(only_a.iter().copied());
        let rest_b = terms.and_all(only_b.iter().copied());
        let either = match (&*only_a, &*only_b) {
            ([x], [y]) if terms.not(*x) == *y => terms.bool(true),
            ([], _) | (_, []) => terms.bool(true),
            _ => terms.or(rest_a, rest_b),
        };
        // Sharing the common part as it was built keeps terms small.
        let common = match () {
            () if only_a.is_empty() => a,
            () if only_b.is_empty() => b,
            () => terms.and_all(both),
        };
        (terms.and(common, either), which)
    }
}

/// Do two conditions contradict each other for a simple reason?
fn contradict(terms: &Terms, x: Term, y: Term) -> bool {
    let negates =
        |a: Term, b: Term| matches!(terms.node(a), Node::Unary(Op::Not, inner) if inner == b);
    if negates(x, y) || negates(y, x) {
        return true;
    }
    let equality = |term: Term| match terms.node(term) {
        Node::Binary(Op::Eq, a, b) => terms.as_const(b).map(|bits| (a, bits)),
        _ => None,
    };
    match (equality(x), equality(y)) {
        (Some((a, k)), Some((b, l))) => a == b && k != l,
        _ => false,
    }
}
