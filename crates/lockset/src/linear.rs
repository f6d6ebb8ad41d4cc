//! Linear terms: most addresses are linear, and queries about those need no solver.

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

    /// The least and the greatest value, if that of every term is bounded.
    pub fn range(&self, values: &Values, numbers: &Numbers<'_>) -> Option<(i128, i128)> {
        let (mut low, mut high) = (self.constant, self.constant);
        for (&atom, &factor) in &self.factors {
            let (least, most) = numbers.range(values, atom)?;
            low += (factor * least).min(factor * most);
            high += (factor * least).max(factor * most);
        }
        Some((low, high))
    }
}

impl Numbers<'_> {
    /// The values of a term that is no sum, if they are bounded.
    fn range(&self, values: &Values, atom: Term) -> Option<(i128, i128)> {
        if self.all.contains(&atom) {
            return Some((0, (1i128 << self.bits) - 1));
        }
        match values.terms.node(atom) {
            Node::Unary(Op::SignExt(_), a) => {
                let half = 1i128 << (values.terms.width(a) - 1);
                Some((-half, half - 1))
            }
            Node::Unary(Op::ZeroExt(_), a) => Some((0, (1i128 << values.terms.width(a)) - 1)),
            _ => None,
        }
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
        Node::Unary(Op::AddressToInt, a) => linear(values, numbers, a),
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
            match inner.range(values, numbers).is_some_and(fits) {
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

/// The sums that a difference can be, where it has two extensions of narrow values with opposite
/// factors: the extended values differ as the narrow ones do, or by one whole range more or less.
pub fn unextended(values: &Values, numbers: &Numbers<'_>, difference: Linear) -> Vec<Linear> {
    let narrow = |term: Term| match values.terms.node(term) {
        Node::Unary(Op::SignExt(_) | Op::ZeroExt(_), inner) => Some(inner),
        _ => None,
    };
    let extended: Vec<(Term, i128)> = difference
        .factors
        .iter()
        .filter(|(atom, _)| !numbers.all.contains(atom))
        .map(|(&atom, &factor)| (atom, factor))
        .collect();
    let [(x, p), (y, q)] = *extended else {
        return vec![difference];
    };
    let (Some(a), Some(b)) = (narrow(x), narrow(y)) else {
        return vec![difference];
    };
    let width = values.terms.width(a);
    let same = |x, y| {
        matches!((values.terms.node(x), values.terms.node(y)),
            (Node::Unary(first, _), Node::Unary(second, _)) if first == second)
    };
    if p != -q || width != values.terms.width(b) || !same(x, y) {
        return vec![difference];
    }
    let inner = linear(values, numbers, a).plus(&linear(values, numbers, b), -1);
    let inner = inner.wrapped(width);
    // Modulo the range, the narrow values differ by a sum that must not wrap itself.
    let half = 1i128 << (width - 1);
    if !inner
        .range(values, numbers)
        .is_some_and(|(low, high)| -half < low && high < half)
    {
        return vec![difference];
    }
    let mut rest = difference;
    rest.factors.remove(&x);
    rest.factors.remove(&y);
    let ranges = [-1, 0, 1].into_iter();
    ranges
        .map(|by| {
            let whole = Linear::constant(by << width);
            rest.clone().plus(&inner, p).plus(&whole, p)
        })
        .collect()
}

/// Can `b - a`, which is this sum, be such that `a` and `b` have a byte in common? Yes may be wrong if
/// other terms than numbers are left; none if it is no sum of a known kind.
pub fn can_meet(
    values: &Values,
    numbers: &Numbers<'_>,
    difference: &Linear,
    width: u32,
    sizes: (u64, u64),
    different: &[(Term, Term)],
) -> Option<bool> {
    let (low, high) = difference.range(values, numbers)?;
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
            let ((x_low, x_high), (y_low, y_high)) =
                (numbers.range(values, x)?, numbers.range(values, y)?);
            let (first, last) = (first.max(x_low - y_high), last.min(x_high - y_low));
            Some(first <= last && !(apart && first == 0 && last == 0))
        }
        _ => None,
    }
}
