//! Operators on floats: Z3's own, between bits and bits.
//!
//! A result that is no number has many representations, and neither C nor the processor's rules
//! as seen from the evaluator say which one is the result. Here it may be any quiet one: the bits are
//! a free constant with the exponent and the quiet bit set. That covers every choice, so that
//! what is unsatisfiable here is so for each of them.

use super::Translator;
use crate::raw;
use expr::{FloatKind, Node, Op, Sort, Term, Terms};
use z3::ast::{BV, Bool, Float, RoundingMode};

pub(super) fn sort_of(kind: FloatKind) -> z3::Sort {
    match kind {
        FloatKind::F32 => z3::Sort::float32(),
        FloatKind::F64 => z3::Sort::double(),
    }
}

/// The bits that every quiet NaN has set.
fn quiet_nan(kind: FloatKind) -> u64 {
    match kind {
        FloatKind::F32 => u64::from(f32::NAN.to_bits()),
        FloatKind::F64 => f64::NAN.to_bits(),
    }
}

fn power_of_two(kind: FloatKind, exponent: i32) -> Float {
    let value = 2f64.powi(exponent);
    match kind {
        FloatKind::F32 => Float::from_f32(value as f32),
        FloatKind::F64 => Float::from_f64(value),
    }
}

fn nearest() -> RoundingMode {
    RoundingMode::round_nearest_ties_to_even()
}

impl Translator {
    /// The bits of a term of a float sort; keeps the float itself for operators above.
    pub(super) fn float_node(&mut self, terms: &Terms, term: Term, kind: FloatKind) -> BV {
        let sort = Sort::Float(kind);
        let (float, bits) = match terms.node(term) {
            Node::Const(_, bits) => self.float_and_bits(BV::from_u64(bits, sort.width()), kind),
            Node::Var(var, _) => {
                let bits = self.var(var, sort).bits();
                self.float_and_bits(bits, kind)
            }
            Node::Unary(Op::FloatFromBits(_), a) => {
                self.float_and_bits(self.values[&a].bits(), kind)
            }
            Node::Ite(c, a, b) => {
                let c = self.values[&c].truth();
                let bits = c.ite(&self.values[&a].bits(), &self.values[&b].bits());
                (c.ite(&self.floats[&a], &self.floats[&b]), bits)
            }
            // Only the sign changes, also that of a NaN.
            Node::Unary(Op::FloatNeg, a) => {
                let sign = BV::from_u64(1 << (sort.width() - 1), sort.width());
                let bits = self.values[&a].bits().bvxor(&sign);
                (self.floats[&a].unary_neg(), bits)
            }
            node => {
                self.uses_floats = true;
                let float = self.operation(node, kind);
                let bits = self.bits_of_result(&float, term, kind);
                (float, bits)
            }
        };
        self.floats.insert(term, float);
        bits
    }

    fn float_and_bits(&self, bits: BV, kind: FloatKind) -> (Float, BV) {
        (raw::float_from_bits(&bits, &sort_of(kind)), bits)
    }

    /// An operator that rounds.
    fn operation(&self, node: Node, kind: FloatKind) -> Float {
        let mode = nearest();
        match node {
            Node::Binary(op, a, b) => {
                let (x, y) = (&self.floats[&a], &self.floats[&b]);
                match op {
                    Op::FloatAdd => x.add_with_rounding_mode(y, &mode),
                    Op::FloatSub => x.sub_with_rounding_mode(y, &mode),
                    Op::FloatMul => x.mul_with_rounding_mode(y, &mode),
                    Op::FloatDiv => x.div_with_rounding_mode(y, &mode),
                    _ => unreachable!("{op:?} does not make a float"),
                }
            }
            Node::Unary(Op::FloatToFloat(_), a) => {
                self.floats[&a].to_fp_with_rounding_mode(&mode, &sort_of(kind))
            }
            Node::Unary(op @ (Op::SignedToFloat(_) | Op::UnsignedToFloat(_)), a) => {
                let signed = matches!(op, Op::SignedToFloat(_));
                let int = self.values[&a].bits();
                raw::float_from_int(&int, signed, &mode, &sort_of(kind))
            }
            _ => unreachable!("{node:?} does not make a float"),
        }
    }

    fn bits_of_result(&self, float: &Float, term: Term, kind: FloatKind) -> BV {
        let width = Sort::Float(kind).width();
        let free = BV::new_const(format!("nan{}", term.index()), width);
        let nan = free.bvor(BV::from_u64(quiet_nan(kind), width));
        float.is_nan().ite(&nan, &float.to_ieee_bv())
    }

    pub(super) fn compare_floats(&mut self, op: Op, a: Term, b: Term) -> Bool {
        self.uses_floats = true;
        let (x, y) = (&self.floats[&a], &self.floats[&b]);
        match op {
            Op::FloatEq => x.eq_fpa(y),
            Op::FloatLt => x.lt(y),
            _ => x.le(y),
        }
    }

    /// The low bits of a float cut to an integer of 64 bits: what is too large becomes the
    /// largest, what is too small the smallest, and what is no number zero.
    pub(super) fn float_to_int(&mut self, terms: &Terms, a: Term, signed: bool, width: u32) -> BV {
        self.uses_floats = true;
        let Sort::Float(kind) = terms.sort(a) else {
            unreachable!("only floats are converted so");
        };
        let x = &self.floats[&a];
        let cut = RoundingMode::round_towards_zero();
        let (inside, largest, smallest, limit, below) = if signed {
            let limit = power_of_two(kind, 63);
            let below = x.lt(limit.unary_neg());
            let inside = x.to_sbv_with_rounding_mode(&cut, 64);
            (inside, i64::MAX as u64, i64::MIN as u64, limit, below)
        } else {
            let zero =
                raw::float_from_bits(&BV::from_u64(0, Sort::Float(kind).width()), &sort_of(kind));
            let inside = x.to_ubv_with_rounding_mode(&cut, 64);
            (inside, u64::MAX, 0, power_of_two(kind, 64), x.le(zero))
        };
        let number = |bits| BV::from_u64(bits, 64);
        let from_below = below.ite(&number(smallest), &inside);
        let from_above = x.ge(&limit).ite(&number(largest), &from_below);
        let whole = x.is_nan().ite(&number(0), &from_above);
        whole.extract(width - 1, 0)
    }
}
