//! Linear equations modulo a power of two, and what follows from them without a solver.
//!
//! Gauss's elimination, where a row takes away from another only multiples that exist: an even factor
//! takes away even ones. What it says to follow does; some that follows it does not see.

use expr::{Node, Op, Sort, Term, Terms};
use std::collections::BTreeMap;

/// A larger sum is not taken apart further.
const MOST_PARTS: usize = 64;

/// How often two divides a number that is not zero, and the inverse of what is left.
pub fn unit(value: u64) -> (u32, u64) {
    let shift = value.trailing_zeros();
    let odd = value >> shift;
    // Newton: each round doubles the number of right bits.
    let inverse = (0..6).fold(odd, |guess: u64, _| {
        guess.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(guess)))
    });
    (shift, inverse)
}

/// A sum that is zero: factors, and a constant.
#[derive(Clone, Debug)]
pub struct Sum<K> {
    factors: BTreeMap<K, u64>,
    constant: u64,
}

impl<K: Ord + Copy> Sum<K> {
    /// These factors and this constant.
    pub fn new(factors: impl IntoIterator<Item = (K, u64)>, constant: u64) -> Sum<K> {
        let factors = factors.into_iter().filter(|(_, factor)| *factor != 0);
        Sum {
            factors: factors.collect(),
            constant,
        }
    }

    fn add(&mut self, key: K, factor: u64, mask: u64) {
        let entry = self.factors.entry(key).or_default();
        *entry = entry.wrapping_add(factor) & mask;
        if *entry == 0 {
            self.factors.remove(&key);
        }
    }

    fn subtract(&mut self, times: u64, other: &Sum<K>, mask: u64) {
        for (&key, &factor) in &other.factors {
            self.add(key, times.wrapping_mul(factor).wrapping_neg() & mask, mask);
        }
        let less = times.wrapping_mul(other.constant);
        self.constant = self.constant.wrapping_sub(less) & mask;
    }
}

/// Equations of one width.
#[derive(Clone, Debug)]
pub struct Equations<K> {
    mask: u64,
    /// Each with the key that it takes away from others.
    rows: Vec<(K, Sum<K>)>,
    /// Nothing obeys all of them.
    contradict: bool,
}

impl<K: Ord + Copy> Equations<K> {
    /// None.
    pub fn new(width: u32) -> Equations<K> {
        Equations {
            mask: Sort::Bv(width).mask(),
            rows: Vec::new(),
            contradict: false,
        }
    }

    /// One more.
    pub fn add(&mut self, sum: Sum<K>) {
        let rest = self.rest(sum);
        let factors = rest.factors.iter();
        match factors.min_by_key(|(_, factor)| factor.trailing_zeros()) {
            Some((&pivot, _)) => self.rows.push((pivot, rest)),
            None => self.contradict |= rest.constant != 0,
        }
    }

    /// Does this one follow?
    pub fn imply(&self, sum: Sum<K>) -> bool {
        let rest = self.rest(sum);
        self.contradict || rest.factors.is_empty() && rest.constant == 0
    }

    /// What is left of a sum.
    fn rest(&self, mut sum: Sum<K>) -> Sum<K> {
        for (pivot, row) in &self.rows {
            let Some(&factor) = sum.factors.get(pivot) else {
                continue;
            };
            let (shift, inverse) = unit(row.factors[pivot]);
            if factor.trailing_zeros() >= shift {
                sum.subtract((factor >> shift).wrapping_mul(inverse), row, self.mask);
            }
        }
        sum
    }
}

/// The sum that an equation says to be zero, and its width.
pub fn equation(terms: &Terms, term: Term) -> Option<(u32, Sum<Term>)> {
    let Node::Binary(Op::Eq, a, b) = terms.node(term) else {
        return None;
    };
    let Sort::Bv(width) = terms.sort(a) else {
        return None;
    };
    let mask = Sort::Bv(width).mask();
    let mut sum = Sum::new([], 0);
    let mut open = vec![(a, 1), (b, mask)];
    let mut fuel = MOST_PARTS;
    while let Some((term, times)) = open.pop() {
        if let Some(bits) = terms.as_const(term) {
            sum.constant = sum.constant.wrapping_add(times.wrapping_mul(bits)) & mask;
            continue;
        }
        let minus = times.wrapping_neg();
        fuel = fuel.saturating_sub(1);
        match terms.node(term) {
            _ if fuel == 0 => sum.add(term, times, mask),
            Node::Binary(Op::Add, a, b) => open.extend([(a, times), (b, times)]),
            Node::Binary(Op::Sub, a, b) => open.extend([(a, times), (b, minus)]),
            Node::Unary(Op::Neg, a) => open.push((a, minus)),
            Node::Binary(Op::Mul, a, b) => match (terms.as_const(a), terms.as_const(b)) {
                (Some(by), _) => open.push((b, times.wrapping_mul(by))),
                (_, Some(by)) => open.push((a, times.wrapping_mul(by))),
                _ => sum.add(term, times, mask),
            },
            // The condition stands for the number that is one if it holds.
            Node::Ite(condition, a, b) => match (terms.as_const(a), terms.as_const(b)) {
                (Some(a), Some(b)) => {
                    let otherwise = times.wrapping_mul(b);
                    sum.constant = sum.constant.wrapping_add(otherwise) & mask;
                    sum.add(condition, times.wrapping_mul(a.wrapping_sub(b)), mask);
                }
                _ => sum.add(term, times, mask),
            },
            _ => sum.add(term, times, mask),
        }
    }
    Some((width, sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_exist() {
        let mut even = Equations::new(8);
        even.add(Sum::new([(0, 2)], 6));
        assert!(even.imply(Sum::new([(0, 4)], 12)));
        assert!(!even.imply(Sum::new([(0, 1)], 3)), "it may differ by 128");
    }
}
