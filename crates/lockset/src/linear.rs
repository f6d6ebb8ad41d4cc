//! Sums of multiples of numbers: most addresses are, and questions about those need no solver.

use crate::values::Values;
use expr::{Node, Op, Sort, Term};
use std::collections::BTreeMap;

/// A sum of terms with factors, and a constant. It equals the term that it was made from modulo two to
/// the power of the term's width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    pub constant: i128,
    /// By term that is not a sum itself; no factor is zero.
    pub factors: BTreeMap<Term, i128>,
}

/// Which terms are numbers of threads, and how many bits those have.
pub struct Numbers<'n> {
    pub bits: u32,
    pub all: &'n [Term],
}

impl Linear {
    fn constant(constant: i128) -> Linear {
        Linear {
            constant,
            factors: BTreeMap::new(),
        }
    }

    fn atom(term: Term) -> Linear {
        Linear {
            constant: 0,
            factors: BTreeMap::from([(term, 1)]),
        }
    }

    /// The sum of the two, the second one multiplied.
    pub fn plus(mut self, other: &Linear, times: i128) -> Linear {
        self.constant += other.constant * times;
        for (&atom, &factor) in &other.factors {
            *self.factors.entry(atom).or_default() += factor * times;
        }
        self.factors.retain(|_, factor| *factor != 0);
        self
    }

    /// Takes everything modulo two to the power of the width, as numbers around zero.
    pub fn wrapped(mut self, width: u32) -> Linear {
        self.constant = around_zero(self.constant, width);
        for factor in self.factors.values_mut() {
            *factor = around_zero(*factor, width);
        }
        self.factors.retain(|_, factor| *factor != 0);
        self
    }

    /// The least and the greatest value, if all terms are numbers of threads.
    pub fn range(&self, numbers: &Numbers<'_>) -> Option<(i128, i128)> {
        let most = (1i128 << numbers.bits) - 1;
        let (mut low, mut high) = (self.constant, self.constant);
        for (atom, &factor) in &self.factors {
            if !numbers.all.contains(atom) {
                return None;
            }
            low += (factor * most).min(0);
            high += (factor * most).max(0);
        }
        Some((low, high))
    }
}

/// The term as a sum.
pub fn linear(values: &Values, numbers: &Numbers<'_>, term: Term) -> Linear {
    let terms = &values.terms;
    let Sort::Bv(width) = terms.sort(term) else {
        return Linear::atom(term);
    };
    let sum = match terms.node(term) {
        Node::Const(_, bits) => Linear::constant(i128::from(bits)),
        Node::Binary(op @ (Op::Add | Op::Sub), a, b) => {
            let times = if op == Op::Add { 1 } else { -1 };
            let (a, b) = (linear(values, numbers, a), linear(values, numbers, b));
            a.plus(&b, times)
        }
        Node::Unary(Op::Neg, a) => Linear::constant(0).plus(&linear(values, numbers, a), -1),
        Node::Binary(Op::Mul, a, b) => match (terms.as_const(a), terms.as_const(b)) {
            (Some(by), _) => times(values, numbers, b, by, width),
            (_, Some(by)) => times(values, numbers, a, by, width),
            _ => Linear::atom(term),
        },
        Node::Binary(Op::Shl, a, by) => match terms.as_const(by) {
            Some(by) if by < u64::from(width.min(63)) => times(values, numbers, a, 1 << by, width),
            _ => Linear::atom(term),
        },
        Node::Unary(op @ (Op::SignExt(_) | Op::ZeroExt(_)), a) => {
            let inner = linear(values, numbers, a);
            let width = terms.width(a);
            let (low, high) = match op {
                Op::SignExt(_) => (-(1i128 << (width - 1)), 1i128 << (width - 1)),
                _ => (0, 1i128 << width),
            };
            // An extension keeps a sum that does not leave the range of the narrow type.
            let fits = |(least, most): (i128, i128)| low <= least && most < high;
            match inner.range(numbers).is_some_and(fits) {
                true => inner,
                false => Linear::atom(term),
            }
        }
        _ => Linear::atom(term),
    };
    sum.wrapped(width)
}

fn times(values: &Values, numbers: &Numbers<'_>, term: Term, by: u64, width: u32) -> Linear {
    let by = around_zero(i128::from(by), width);
    Linear::constant(0).plus(&linear(values, numbers, term), by)
}

fn around_zero(value: i128, width: u32) -> i128 {
    let all = 1i128 << width;
    let value = value.rem_euclid(all);
    if value >= all / 2 { value - all } else { value }
}

/// Can `b - a`, which is this sum of two numbers of threads, be such that `a` and `b` have a byte in
/// common? None if it is no sum of that kind.
pub fn can_meet(
    difference: &Linear,
    numbers: &Numbers<'_>,
    width: u32,
    sizes: (u64, u64),
    different: &[(Term, Term)],
) -> Option<bool> {
    let (low, high) = difference.range(numbers)?;
    let (least, most) = (-i128::from(sizes.1) + 1, i128::from(sizes.0) - 1);
    if low + least < -(1i128 << (width - 1)) || high + most >= 1i128 << (width - 1) {
        return None;
    }
    let factors: Vec<(Term, i128)> = difference.factors.iter().map(|(&a, &f)| (a, f)).collect();
    match *factors {
        [] => Some(least <= difference.constant && difference.constant <= most),
        [(x, p), (y, q)] if p == -q => {
            let apart = different.contains(&(x, y)) || different.contains(&(y, x));
            // The sum is c + p * d with d = x - y.
            let (from, to) = (least - difference.constant, most - difference.constant);
            let (from, to) = if p > 0 { (from, to) } else { (-to, -from) };
            let first = from.div_euclid(p.abs()) + i128::from(from.rem_euclid(p.abs()) != 0);
            let last = to.div_euclid(p.abs());
            let bound = 1i128 << numbers.bits;
            let (first, last) = (first.max(-bound + 1), last.min(bound - 1));
            Some(first <= last && !(apart && first == 0 && last == 0))
        }
        _ => None,
    }
}
