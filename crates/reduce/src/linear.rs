//! Linear atoms, and equalities that hold whatever wraps.
//!
//! Spacer works with integers without bounds and often says `a <= b` and `b <= a` in two places. Read
//! as numbers of 64 bits, that is false as soon as a sum wraps; read as `a == b` of the width of the
//! variables, it stays true. So for each pair of such atoms the equality is a candidate of its own.

use expr::{Node, Op, Sort, Term, Terms, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// A sum of variables with factors, and a constant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Sum {
    factors: BTreeMap<VarId, i128>,
    constant: i128,
}

impl Sum {
    fn constant(constant: i128) -> Sum {
        Sum {
            factors: BTreeMap::new(),
            constant,
        }
    }

    fn add(mut self, other: &Sum, factor: i128) -> Option<Sum> {
        for (&var, &by) in &other.factors {
            let sum = self.factors.entry(var).or_default();
            *sum = sum.checked_add(by.checked_mul(factor)?)?;
        }
        self.factors.retain(|_, by| *by != 0);
        let more = other.constant.checked_mul(factor)?;
        self.constant = self.constant.checked_add(more)?;
        Some(self)
    }

    fn negated(&self) -> Option<Sum> {
        Sum::constant(0).add(self, -1)
    }
}

/// A term of 64 bits as a sum of variables, which may be narrower.
fn sum(terms: &Terms, term: Term) -> Option<Sum> {
    if let Some(bits) = terms.as_const(term) {
        let value = expr::sign_extend(bits, terms.width(term));
        return Some(Sum::constant(i128::from(value)));
    }
    match terms.node(term) {
        Node::Var(var, Sort::Bv(_)) => Some(Sum {
            factors: [(var, 1)].into(),
            constant: 0,
        }),
        Node::Unary(Op::SignExt(_) | Op::ZeroExt(_), a) => {
            matches!(terms.node(a), Node::Var(..)).then(|| sum(terms, a))?
        }
        Node::Unary(Op::Neg, a) => sum(terms, a)?.negated(),
        Node::Binary(Op::Add, a, b) => sum(terms, a)?.add(&sum(terms, b)?, 1),
        Node::Binary(Op::Sub, a, b) => sum(terms, a)?.add(&sum(terms, b)?, -1),
        Node::Binary(Op::Mul, a, b) => {
            let (a, b) = (sum(terms, a)?, sum(terms, b)?);
            match (a.factors.is_empty(), b.factors.is_empty()) {
                (true, _) => Sum::constant(0).add(&b, a.constant),
                (_, true) => Sum::constant(0).add(&a, b.constant),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What an atom says about a sum.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Atom {
    /// It is at most zero.
    AtMost(Sum),
    /// It is zero.
    Zero(Sum),
}

fn atom(terms: &Terms, literal: Term) -> Option<Atom> {
    let (negated, inner) = match terms.node(literal) {
        Node::Unary(Op::Not, a) => (true, a),
        _ => (false, literal),
    };
    let Node::Binary(op, a, b) = terms.node(inner) else {
        return None;
    };
    let difference = |a: Term, b: Term, more: i128| {
        let sum = sum(terms, a)?.add(&sum(terms, b)?, -1)?;
        sum.add(&Sum::constant(more), 1)
    };
    match (op, negated) {
        (Op::Sle, false) => Some(Atom::AtMost(difference(a, b, 0)?)),
        (Op::Slt, false) => Some(Atom::AtMost(difference(a, b, 1)?)),
        (Op::Sle, true) => Some(Atom::AtMost(difference(b, a, 1)?)),
        (Op::Slt, true) => Some(Atom::AtMost(difference(b, a, 0)?)),
        (Op::Eq, false) if matches!(terms.sort(a), Sort::Bv(_)) => {
            Some(Atom::Zero(difference(a, b, 0)?))
        }
        _ => None,
    }
}

/// The parts of a disjunction.
fn disjuncts(terms: &mut Terms, clause: Term) -> BTreeSet<Term> {
    let negated = terms.not(clause);
    let parts = terms.conjuncts(negated);
    parts.into_iter().map(|part| terms.not(part)).collect()
}

/// Equalities modulo the width of their variables that some of the formulas say together.
pub fn wrapping_equalities(
    terms: &mut Terms,
    formulas: &[Term],
    sort_of: &dyn Fn(VarId) -> Sort,
) -> Vec<Term> {
    let clauses: Vec<BTreeSet<Term>> = formulas
        .iter()
        .map(|&formula| disjuncts(terms, formula))
        .collect();
    let mut found = Vec::new();
    for (number, clause) in clauses.iter().enumerate() {
        for &literal in clause {
            let rest: BTreeSet<Term> = clause.iter().copied().filter(|&it| it != literal).collect();
            let sum = match atom(terms, literal) {
                Some(Atom::Zero(sum)) => sum,
                Some(Atom::AtMost(sum)) => {
                    let others = clauses[number + 1..].iter();
                    let Some(opposite) = sum.negated().map(Atom::AtMost) else {
                        continue;
                    };
                    let completes = |other: &BTreeSet<Term>| {
                        let mut more = other.difference(&rest);
                        let last = more.next().copied();
                        rest.is_subset(other)
                            && more.next().is_none()
                            && last.is_some_and(|last| atom(terms, last) == Some(opposite.clone()))
                    };
                    if !others.into_iter().any(completes) {
                        continue;
                    }
                    sum
                }
                None => continue,
            };
            if let Some(equal) = equality(terms, &sum, sort_of) {
                let rest = terms.or_all(rest);
                found.push(terms.or(rest, equal));
            }
        }
    }
    found
}

/// The sum is zero, as a number of the width of its variables.
fn equality(terms: &mut Terms, sum: &Sum, sort_of: &dyn Fn(VarId) -> Sort) -> Option<Term> {
    let (&first, _) = sum.factors.iter().next()?;
    let sort = sort_of(first);
    let Sort::Bv(width) = sort else { return None };
    if sum.factors.keys().any(|&var| sort_of(var) != sort) {
        return None;
    }
    let mut left = terms.bv(width, sum.constant as u64 & sort.mask());
    for (&var, &factor) in &sum.factors {
        let by = terms.bv(width, factor as u64 & sort.mask());
        let var = terms.var(var, sort);
        let product = terms.binary(Op::Mul, by, var);
        left = terms.add(left, product);
    }
    let zero = terms.bv(width, 0);
    Some(terms.eq(left, zero))
}
