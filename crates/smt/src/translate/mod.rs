//! From terms to Z3, each term once.
//!
//! Truth values become Booleans, everything else bit vectors, floats included: equality of floats
//! is equality of bits ([`expr::Op::Eq`]), which Z3's own floats cannot say, since they have a
//! single NaN. Float operators work on Z3's floats inside, see [`float`].

mod bits;
mod float;

use expr::{Node, ObjId, Op, PoolId, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use z3::ast::{BV, Bool, Dynamic, Float};

/// A term on Z3's side.
#[derive(Clone)]
pub(crate) enum Value {
    Truth(Bool),
    Bits(BV),
}

impl Value {
    /// As a bit vector; a truth value is one bit.
    fn bits(&self) -> BV {
        match self {
            Value::Bits(bits) => bits.clone(),
            Value::Truth(truth) => truth.ite(&BV::from_u64(1, 1), &BV::from_u64(0, 1)),
        }
    }

    /// As a truth value, which a single bit is as well.
    fn truth(&self) -> Bool {
        match self {
            Value::Truth(truth) => truth.clone(),
            Value::Bits(bits) => {
                assert_eq!(bits.get_size(), 1, "only a single bit is a truth value");
                bits.eq(BV::from_u64(1, 1))
            }
        }
    }

    pub(crate) fn dynamic(&self) -> Dynamic {
        match self {
            Value::Truth(truth) => Dynamic::from_ast(truth),
            Value::Bits(bits) => Dynamic::from_ast(bits),
        }
    }

    /// The same value as Z3 has it for a term of `sort`.
    fn of_sort(self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Truth(self.truth()),
            _ => Value::Bits(self.bits()),
        }
    }
}

/// Translates the terms of one pool.
#[derive(Default)]
pub(crate) struct Translator {
    pool: Option<PoolId>,
    values: FxHashMap<Term, Value>,
    /// Terms of a float sort, as Z3's floats.
    floats: FxHashMap<Term, Float>,
    /// Constants in use, in the order of their numbers.
    vars: BTreeMap<VarId, (Sort, Value)>,
    bases: BTreeMap<ObjId, BV>,
    bound: BTreeMap<ObjId, u64>,
    uses_floats: bool,
}

impl Translator {
    /// Has a float operator been translated? Not every solver knows those.
    pub(crate) fn uses_floats(&self) -> bool {
        self.uses_floats
    }

    /// Fixes the address of an object.
    pub(crate) fn bind_base(&mut self, obj: ObjId, value: u64) {
        let unused = !self.bases.contains_key(&obj) || self.bound.get(&obj) == Some(&value);
        assert!(unused, "an address is bound before it is first used");
        self.bound.insert(obj, value);
    }

    /// The addresses that are fixed.
    pub(crate) fn bound(&self) -> &BTreeMap<ObjId, u64> {
        &self.bound
    }

    /// The variables met so far.
    pub(crate) fn vars(&self) -> impl Iterator<Item = (VarId, &Value)> {
        self.vars.iter().map(|(&var, (_, value))| (var, value))
    }

    /// The addresses met so far.
    pub(crate) fn bases(&self) -> impl Iterator<Item = (ObjId, &BV)> {
        self.bases.iter().map(|(&obj, bits)| (obj, bits))
    }

    /// A truth value.
    pub(crate) fn truth(&mut self, terms: &Terms, term: Term) -> Bool {
        self.value(terms, term).truth()
    }

    /// Any term.
    ///
    /// Walks with a stack of its own: unrolled programs make terms that are deeper than the
    /// stack of a thread.
    pub(crate) fn value(&mut self, terms: &Terms, term: Term) -> Value {
        let pool = self.pool.get_or_insert_with(|| terms.id().clone());
        assert!(
            pool == terms.id(),
            "a solver works on the terms of one pool"
        );
        let mut pending = vec![term];
        while let Some(&top) = pending.last() {
            if self.values.contains_key(&top) {
                pending.pop();
                continue;
            }
            let before = pending.len();
            pending.extend(terms.args(top).filter(|arg| !self.values.contains_key(arg)));
            if pending.len() == before {
                let value = self.node(terms, top);
                self.values.insert(top, value);
                pending.pop();
            }
        }
        self.values[&term].clone()
    }

    /// A node whose arguments have been translated.
    fn node(&mut self, terms: &Terms, term: Term) -> Value {
        let sort = terms.sort(term);
        if let Sort::Float(kind) = sort {
            return Value::Bits(self.float_node(terms, term, kind));
        }
        match terms.node(term) {
            Node::Const(Sort::Bool, bits) => Value::Truth(Bool::from_bool(bits != 0)),
            Node::Const(_, bits) => Value::Bits(BV::from_u64(bits, sort.width())),
            Node::Var(var, _) => self.var(var, sort),
            Node::Base(obj, width) => Value::Bits(self.base(obj, width)),
            Node::Ite(c, a, b) => self.ite(c, a, b),
            Node::Unary(op, a) => self.unary(terms, op, a).of_sort(sort),
            Node::Binary(op, a, b) => self.binary(op, a, b).of_sort(sort),
        }
    }

    fn var(&mut self, var: VarId, sort: Sort) -> Value {
        let (known, value) = self.vars.entry(var).or_insert_with(|| {
            let name = var_name(var);
            let value = match sort {
                Sort::Bool => Value::Truth(Bool::new_const(name)),
                _ => Value::Bits(BV::new_const(name, sort.width())),
            };
            (sort, value)
        });
        assert!(*known == sort, "a variable has one sort");
        value.clone()
    }

    fn base(&mut self, obj: ObjId, width: u32) -> BV {
        let bound = self.bound.get(&obj).copied();
        let bits = self.bases.entry(obj).or_insert_with(|| match bound {
            Some(value) => BV::from_u64(value, width),
            None => BV::new_const(base_name(obj), width),
        });
        assert_eq!(bits.get_size(), width, "an address has one width");
        bits.clone()
    }

    fn ite(&self, c: Term, a: Term, b: Term) -> Value {
        let c = self.values[&c].truth();
        match (&self.values[&a], &self.values[&b]) {
            (Value::Truth(a), Value::Truth(b)) => Value::Truth(c.ite(a, b)),
            (a, b) => Value::Bits(c.ite(&a.bits(), &b.bits())),
        }
    }

    fn unary(&mut self, terms: &Terms, op: Op, a: Term) -> Value {
        match op {
            Op::Not => Value::Truth(self.values[&a].truth().not()),
            Op::FloatToBits => self.values[&a].clone(),
            Op::FloatToSigned(width) => Value::Bits(self.float_to_int(terms, a, true, width)),
            Op::FloatToUnsigned(width) => Value::Bits(self.float_to_int(terms, a, false, width)),
            _ => Value::Bits(bits::unary(op, &self.values[&a].bits())),
        }
    }

    fn binary(&mut self, op: Op, a: Term, b: Term) -> Value {
        let (x, y) = (&self.values[&a], &self.values[&b]);
        match (op, x, y) {
            (Op::And, ..) => Value::Truth(Bool::and(&[x.truth(), y.truth()])),
            (Op::Or, ..) => Value::Truth(Bool::or(&[x.truth(), y.truth()])),
            (Op::Eq, Value::Truth(x), Value::Truth(y)) => Value::Truth(x.iff(y)),
            (Op::FloatEq | Op::FloatLt | Op::FloatLe, ..) => {
                Value::Truth(self.compare_floats(op, a, b))
            }
            _ => bits::binary(op, &x.bits(), &y.bits()),
        }
    }
}

/// The name of a variable on Z3's side and in SMT-LIB.
pub(crate) fn var_name(var: VarId) -> String {
    format!("v{}", var.0)
}

pub(crate) fn base_name(obj: ObjId) -> String {
    format!("base{}", obj.0)
}
