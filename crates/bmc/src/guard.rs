//! Path conditions: conjunctions that meet where paths meet.

use expr::{Node, Op, Term, Terms};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Takes conjunctions apart, and remembers how.
#[derive(Default)]
pub struct Guards {
    parts: FxHashMap<Term, Rc<[Term]>>,
    claims: FxHashMap<Term, Rc<Claims>>,
}

/// What a condition says about single terms, sorted by term.
struct Claims {
    truths: Vec<(Term, bool)>,
    values: Vec<(Term, u64)>,
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
        let (a, b) = (self.claims(terms, a), self.claims(terms, b));
        differ(&a.truths, &b.truths) || differ(&a.values, &b.values)
    }

    fn claims(&mut self, terms: &Terms, guard: Term) -> Rc<Claims> {
        if let Some(known) = self.claims.get(&guard) {
            return Rc::clone(known);
        }
        let (mut truths, mut values) = (Vec::new(), Vec::new());
        for &part in self.parts(terms, guard).iter() {
            match terms.node(part) {
                Node::Unary(Op::Not, inner) => truths.push((inner, false)),
                _ => truths.push((part, true)),
            }
            if let Node::Binary(Op::Eq, term, value) = terms.node(part)
                && let Some(bits) = terms.as_const(value)
            {
                values.push((term, bits));
            }
        }
        truths.sort_unstable();
        values.sort_unstable();
        let claims = Rc::new(Claims { truths, values });
        self.claims.insert(guard, Rc::clone(&claims));
        claims
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

/// Do two sorted lists disagree about one term?
fn differ<T: Copy + PartialEq>(a: &[(Term, T)], b: &[(Term, T)]) -> bool {
    let (mut at, mut other) = (0, 0);
    while let (Some(&(x, says)), Some(&(y, tells))) = (a.get(at), b.get(other)) {
        if x == y && says != tells {
            return true;
        }
        match x <= y {
            true => at += 1,
            false => other += 1,
        }
    }
    false
}
