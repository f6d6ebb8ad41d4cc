//! What follows from formulas without a solver: themselves, sums of their equations, and that one number is at
//! most another if it was less before it grew by one.
//!
//! Most facts about a rule are of this kind, and each question that a solver is not asked saves it from
//! building its circuits.

use super::linear::{Equations, Sum, equation};
use expr::{Node, Op, Sort, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Formulas that hold.
pub struct Premises {
    formulas: BTreeSet<Term>,
    /// Pairs of which the first is at most the second, with or without a sign.
    ordered: BTreeSet<(bool, Term, Term)>,
    equations: BTreeMap<u32, Equations<Term>>,
}

/// That one number is less than another, or at most that.
struct Comparison {
    signed: bool,
    strict: bool,
    low: Term,
    high: Term,
}

impl Comparison {
    fn of(terms: &Terms, formula: Term) -> Option<Comparison> {
        let (holds, inner) = match terms.node(formula) {
            Node::Unary(Op::Not, a) => (false, a),
            _ => (true, formula),
        };
        let Node::Binary(op, a, b) = terms.node(inner) else {
            return None;
        };
        let (signed, strict) = match op {
            Op::Slt => (true, true),
            Op::Sle => (true, false),
            Op::Ult => (false, true),
            Op::Ule => (false, false),
            _ => return None,
        };
        Some(match holds {
            true => Comparison {
                signed,
                strict,
                low: a,
                high: b,
            },
            false => Comparison {
                signed,
                strict: !strict,
                low: b,
                high: a,
            },
        })
    }
}

impl Premises {
    /// These and all their parts.
    pub fn of(terms: &mut Terms, formulas: &[Term]) -> Premises {
        let mut premises = Premises {
            formulas: BTreeSet::new(),
            ordered: BTreeSet::new(),
            equations: BTreeMap::new(),
        };
        for &formula in formulas {
            for part in terms.conjuncts(formula) {
                premises.add(terms, part);
            }
        }
        premises
    }

    fn add(&mut self, terms: &mut Terms, part: Term) {
        self.formulas.insert(part);
        if let Some((width, sum)) = equation(terms, part) {
            let known = self.equations.entry(width);
            known.or_insert_with(|| Equations::new(width)).add(sum);
        }
        if let Some((width, sum)) = widened(terms, part) {
            let known = self.equations.entry(width);
            known.or_insert_with(|| Equations::new(width)).add(sum);
        }
        let Some(Comparison {
            signed,
            strict,
            low,
            high,
        }) = Comparison::of(terms, part)
        else {
            return;
        };
        self.ordered.insert((signed, low, high));
        if strict {
            // Nothing is less than the smallest number, so neither of these wraps.
            let one = terms.bv(terms.width(low), 1);
            let more = terms.add(low, one);
            let less = terms.binary(Op::Sub, high, one);
            self.ordered
                .extend([(signed, more, high), (signed, low, less)]);
            let differ = terms.ne(low, high);
            self.formulas.insert(differ);
        }
    }

    /// Does a formula follow?
    pub fn imply(&self, terms: &Terms, formula: Term) -> bool {
        if self.formulas.contains(&formula) {
            return true;
        }
        if let Some((width, sum)) = equation(terms, formula) {
            return match self.equations.get(&width) {
                Some(equations) => equations.imply(sum),
                None => Equations::new(width).imply(sum),
            };
        }
        match Comparison::of(terms, formula) {
            Some(Comparison {
                signed,
                strict: false,
                low,
                high,
            }) => self.ordered.contains(&(signed, low, high)),
            _ => false,
        }
    }
}

/// What the value of a small number says of it as a larger one.
fn widened(terms: &mut Terms, part: Term) -> Option<(u32, Sum<Term>)> {
    let Node::Binary(Op::Eq, a, b) = terms.node(part) else {
        return None;
    };
    let value = terms.as_const(b).filter(|_| terms.sort(a) == Sort::Bv(8))?;
    terms.as_var(a)?;
    let (wide, minus) = (terms.resize(a, 32, false), value.wrapping_neg());
    Some((32, Sum::new([(wide, 1)], minus & Sort::Bv(32).mask())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expr::VarId;

    #[test]
    fn sums_follow_and_others_do_not() {
        let mut terms = Terms::new();
        let [a, b, c] = [0, 1, 2].map(|at| terms.var(VarId(at), Sort::Bv(32)));
        let (one, two) = (terms.bv(32, 1), terms.bv(32, 2));
        let sum = terms.add(a, b);
        let known = [terms.eq(c, sum), terms.eq(b, two)];
        let premises = Premises::of(&mut terms, &known);
        let (more, later) = (terms.add(c, one), terms.add(a, one));
        let right = terms.add(later, b);
        let with_two = terms.add(a, two);
        let [follows, also, not] = [terms.eq(more, right), terms.eq(c, with_two), terms.eq(c, a)];
        assert!(premises.imply(&terms, follows) && premises.imply(&terms, also));
        assert!(!premises.imply(&terms, not));
    }

    #[test]
    fn bounds_of_counters_follow() {
        let mut terms = Terms::new();
        let [i, n] = [0, 1].map(|at| terms.var(VarId(at), Sort::Bv(32)));
        let below = terms.binary(Op::Slt, i, n);
        let premises = Premises::of(&mut terms, &[below]);
        let one = terms.bv(32, 1);
        let next = terms.add(i, one);
        let after = terms.add(next, one);
        let not_above = terms.binary(Op::Slt, n, next);
        let [at_most, too_much, unsigned] = [
            terms.not(not_above),
            terms.binary(Op::Sle, after, n),
            terms.binary(Op::Ule, next, n),
        ];
        assert!(premises.imply(&terms, at_most));
        assert!(!premises.imply(&terms, too_much) && !premises.imply(&terms, unsigned));
    }
}
