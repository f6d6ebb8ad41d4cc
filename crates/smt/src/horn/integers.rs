//! Rules about bit vectors as rules about integers.
//!
//! Spacer generalises from sums and bounds of integers far better than from bits. A bit vector
//! becomes the integer that it is as a signed number. With [`Arithmetic::Wrapped`] every operation
//! that can leave its range is brought back into it, and every variable is in its range; with
//! [`Arithmetic::Ideal`] numbers have no bounds. What has no counterpart, such as most operators
//! on single bits, may be anything.
//!
//! So neither way says exactly what the rules say, and nothing is trusted because of it: a
//! solution is read back as formulas over bit vectors and checked against the rules themselves.

use super::spacer::Arithmetic;
use expr::{Node, ObjId, Op, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use z3::ast::{Bool, Dynamic, Int};

/// A term on the side of integers.
#[derive(Clone)]
pub(super) enum Value {
    Truth(Bool),
    Number(Int),
}

impl Value {
    fn truth(&self) -> Bool {
        match self {
            Value::Truth(truth) => truth.clone(),
            Value::Number(number) => number.eq(Int::from_i64(0)).not(),
        }
    }

    fn number(&self) -> Int {
        match self {
            Value::Number(number) => number.clone(),
            Value::Truth(truth) => truth.ite(&Int::from_i64(1), &Int::from_i64(0)),
        }
    }

    pub(super) fn dynamic(&self) -> Dynamic {
        match self {
            Value::Truth(truth) => Dynamic::from_ast(truth),
            Value::Number(number) => Dynamic::from_ast(number),
        }
    }
}

/// Translates the terms of one rule after the other.
pub(super) struct Integers<'a> {
    terms: &'a Terms,
    bases: &'a BTreeMap<ObjId, u64>,
    wraps: bool,
    /// Variables that are numbers without a sign.
    naturals: &'a BTreeSet<VarId>,
    values: FxHashMap<Term, Value>,
    /// The variables of the rule.
    pub(super) vars: BTreeMap<VarId, Dynamic>,
    /// What may be anything in the rule.
    pub(super) anything: Vec<Dynamic>,
    /// What is known about variables: their ranges.
    pub(super) ranges: Vec<Bool>,
}

fn constant(value: i128) -> Int {
    Int::from_str(&value.to_string()).expect("digits are a number")
}

fn power(exponent: u32) -> i128 {
    1 << exponent
}

impl<'a> Integers<'a> {
    pub(super) fn new(
        terms: &'a Terms,
        bases: &'a BTreeMap<ObjId, u64>,
        arithmetic: Arithmetic,
        naturals: &'a BTreeSet<VarId>,
    ) -> Integers<'a> {
        Integers {
            terms,
            bases,
            wraps: arithmetic == Arithmetic::Wrapped,
            naturals,
            values: FxHashMap::default(),
            vars: BTreeMap::new(),
            anything: Vec::new(),
            ranges: Vec::new(),
        }
    }

    /// Forgets the last rule.
    pub(super) fn next_rule(&mut self) {
        self.values.clear();
        self.vars.clear();
        self.anything.clear();
        self.ranges.clear();
    }

    pub(super) fn truth(&mut self, term: Term) -> Bool {
        self.value(term).truth()
    }

    pub(super) fn value(&mut self, term: Term) -> Value {
        if let Some(value) = self.values.get(&term) {
            return value.clone();
        }
        let value = match self.terms.node(term) {
            Node::Const(Sort::Bool, bits) => Value::Truth(Bool::from_bool(bits != 0)),
            Node::Const(sort, bits) => {
                Value::Number(constant(i128::from(expr::sign_extend(bits, sort.width()))))
            }
            Node::Var(var, sort) => self.variable(var, sort),
            Node::Base(object, width) => {
                let address = expr::sign_extend(self.bases[&object], width);
                Value::Number(constant(i128::from(address)))
            }
            Node::Unary(op, a) => self.unary(op, a, self.terms.sort(term)),
            Node::Binary(op, a, b) => self.binary(op, a, b, self.terms.sort(term)),
            Node::Ite(c, a, b) => {
                let c = self.truth(c);
                match (self.value(a), self.value(b)) {
                    (Value::Truth(a), Value::Truth(b)) => Value::Truth(c.ite(&a, &b)),
                    (a, b) => Value::Number(c.ite(&a.number(), &b.number())),
                }
            }
        };
        self.values.insert(term, value.clone());
        value
    }

    fn variable(&mut self, var: VarId, sort: Sort) -> Value {
        let name = format!("v{}", var.0);
        let value = match sort {
            Sort::Bool => Value::Truth(Bool::new_const(name)),
            _ => {
                let number = Int::new_const(name);
                if self.naturals.contains(&var) {
                    self.ranges.push(number.ge(Int::from_i64(0)));
                } else if self.wraps || sort.width() < 32 {
                    self.ranges.push(in_range(&number, sort.width()));
                }
                Value::Number(number)
            }
        };
        self.vars.insert(var, value.dynamic());
        value
    }

    /// An arbitrary value of the sort.
    fn any(&mut self, sort: Sort) -> Value {
        let value = match sort {
            Sort::Bool => Value::Truth(Bool::fresh_const("any")),
            _ => {
                let number = Int::fresh_const("any");
                self.ranges.push(in_range(&number, sort.width()));
                Value::Number(number)
            }
        };
        self.anything.push(value.dynamic());
        value
    }

    fn number(&mut self, term: Term) -> Int {
        self.value(term).number()
    }

    /// The number that the bits are without a sign.
    fn unsigned(&mut self, term: Term) -> Int {
        let width = self.terms.width(term);
        let number = self.number(term);
        if let Some(bits) = self.terms.as_const(term) {
            return constant(i128::from(bits));
        }
        if self.is_natural(term) {
            return number;
        }
        let negative = number.lt(Int::from_i64(0));
        negative.ite(&(&number + constant(power(width))), &number)
    }

    /// Is the term made of numbers without a sign? Then it is taken for one itself.
    fn is_natural(&self, term: Term) -> bool {
        match self.terms.node(term) {
            Node::Var(var, _) => self.naturals.contains(&var),
            Node::Unary(Op::ZeroExt(_), _) => !self.naturals.is_empty(),
            Node::Unary(Op::Extract { lo: 0, .. }, a) => self.is_natural(a),
            Node::Binary(Op::Add | Op::Sub | Op::Mul, a, b) | Node::Ite(_, a, b) => {
                self.is_natural(a) || self.is_natural(b)
            }
            _ => false,
        }
    }

    /// Brings a number back that is at most one range away.
    fn near(&self, number: Int, width: u32) -> Value {
        if !self.wraps {
            return Value::Number(number);
        }
        let (half, whole) = (constant(power(width - 1)), constant(power(width)));
        let above = number.ge(&half);
        let below = number.lt(-half);
        let low = below.ite(&(&number + &whole), &number);
        Value::Number(above.ite(&(&number - &whole), &low))
    }

    /// Brings any number back into the range.
    fn far(&self, number: Int, width: u32) -> Value {
        let (half, whole) = (constant(power(width - 1)), constant(power(width)));
        let shifted = (&number + &half).modulo(&whole);
        Value::Number(shifted - half)
    }

    fn unary(&mut self, op: Op, a: Term, sort: Sort) -> Value {
        match op {
            Op::Not => Value::Truth(self.truth(a).not()),
            Op::Neg => {
                let number = -self.number(a);
                self.near(number, sort.width())
            }
            Op::BitNot => Value::Number(-self.number(a) - Int::from_i64(1)),
            Op::SignExt(_) | Op::AddressToInt => Value::Number(self.number(a)),
            Op::ZeroExt(_) => Value::Number(self.unsigned(a)),
            Op::Extract { hi, lo: 0 } if sort != Sort::Bool => match self.wraps {
                true => {
                    let number = self.number(a);
                    self.far(number, hi + 1)
                }
                false => Value::Number(self.number(a)),
            },
            Op::Extract { hi, lo } if sort != Sort::Bool => {
                let high = self.unsigned(a).div(constant(power(lo)));
                self.far(high, hi - lo + 1)
            }
            _ => self.any(sort),
        }
    }

    fn binary(&mut self, op: Op, a: Term, b: Term, sort: Sort) -> Value {
        let width = self.terms.width(a);
        match op {
            Op::And => Value::Truth(Bool::and(&[self.truth(a), self.truth(b)])),
            Op::Or => Value::Truth(Bool::or(&[self.truth(a), self.truth(b)])),
            Op::Eq => match (self.value(a), self.value(b)) {
                (Value::Truth(a), Value::Truth(b)) => Value::Truth(a.iff(&b)),
                (a, b) => Value::Truth(a.number().eq(b.number())),
            },
            Op::Slt => Value::Truth(self.number(a).lt(self.number(b))),
            Op::Sle => Value::Truth(self.number(a).le(self.number(b))),
            Op::Ult => Value::Truth(self.unsigned(a).lt(self.unsigned(b))),
            Op::Ule => Value::Truth(self.unsigned(a).le(self.unsigned(b))),
            Op::Add => {
                let sum = self.number(a) + self.number(b);
                self.near(sum, width)
            }
            Op::Sub => {
                let difference = self.number(a) - self.number(b);
                self.near(difference, width)
            }
            Op::Mul => {
                let product = self.number(a) * self.number(b);
                match self.wraps {
                    true => self.far(product, width),
                    false => Value::Number(product),
                }
            }
            Op::SaddOverflow => leaves(&(self.number(a) + self.number(b)), width),
            Op::SsubOverflow => leaves(&(self.number(a) - self.number(b)), width),
            Op::SmulOverflow => leaves(&(self.number(a) * self.number(b)), width),
            Op::UsubOverflow => Value::Truth(self.unsigned(a).lt(self.unsigned(b))),
            Op::UaddOverflow => {
                let sum = self.unsigned(a) + self.unsigned(b);
                Value::Truth(sum.ge(constant(power(width))))
            }
            _ => match self.terms.as_const(b) {
                Some(bits) => self.with_constant(op, a, bits, sort),
                None => self.any(sort),
            },
        }
    }

    /// Operations that are only known if the second argument is.
    fn with_constant(&mut self, op: Op, a: Term, bits: u64, sort: Sort) -> Value {
        let width = self.terms.width(a);
        let signed = expr::sign_extend(bits, width);
        let shift = u32::try_from(bits).ok().filter(|&shift| shift < width);
        match (op, shift) {
            (Op::BitAnd, _) if bits != u64::MAX && (bits + 1).is_power_of_two() => {
                let low = self.number(a).modulo(constant(i128::from(bits) + 1));
                Value::Number(low)
            }
            (Op::Shl, Some(shift)) => {
                let product = self.number(a) * constant(power(shift));
                match self.wraps {
                    true => self.far(product, width),
                    false => Value::Number(product),
                }
            }
            (Op::Ashr, Some(shift)) => Value::Number(self.number(a).div(constant(power(shift)))),
            (Op::Lshr, Some(shift)) if shift > 0 => {
                Value::Number(self.unsigned(a).div(constant(power(shift))))
            }
            (Op::Udiv, _) if bits > 1 => {
                Value::Number(self.unsigned(a).div(constant(i128::from(bits))))
            }
            (Op::Urem, _) if signed > 0 => {
                Value::Number(self.unsigned(a).modulo(constant(i128::from(bits))))
            }
            (Op::Sdiv, _) if signed > 0 => Value::Number(self.quotient(a, signed)),
            (Op::Srem, _) if signed > 0 => {
                let multiple = self.quotient(a, signed) * Int::from_i64(signed);
                Value::Number(self.number(a) - multiple)
            }
            _ => self.any(sort),
        }
    }

    /// Division by a positive number, rounding towards zero.
    fn quotient(&mut self, a: Term, by: i64) -> Int {
        let (number, by) = (self.number(a), Int::from_i64(by));
        let down = number.div(&by);
        let up = -((-&number).div(&by));
        number.ge(Int::from_i64(0)).ite(&down, &up)
    }
}

fn in_range(number: &Int, width: u32) -> Bool {
    let half = constant(power(width - 1));
    Bool::and(&[number.lt(&half), number.ge(-half)])
}

fn leaves(number: &Int, width: u32) -> Value {
    Value::Truth(in_range(number, width).not())
}
