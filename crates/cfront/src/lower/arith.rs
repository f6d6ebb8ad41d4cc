//! C's arithmetic and conversions on terms.
//!
//! Pure functions of terms: what makes an operation undefined (division by zero, shifts out of
//! range, overflow) is checked by [`super::checks`] before.

use super::types::{Lowered, Types, is_bool, is_pointer, is_signed};
use crate::Unsupported;
use crate::hir::{AtomicOp, BinaryOp, Type, UnaryOp};
use expr::{Op, Sort, Term, Terms};
use xcfa::Span;

/// Converts a scalar from one type to another.
pub(super) fn convert(
    types: Types,
    terms: &mut Terms,
    value: Term,
    from: &Type,
    to: &Type,
    span: Span,
) -> Lowered<Term> {
    let target = types.sort(to, span)?;
    if is_bool(to) {
        if is_bool(from) {
            return Ok(value);
        }
        let truth = terms.is_nonzero(value);
        return Ok(terms.bool_to_bv(truth, 8));
    }
    let value = match is_pointer(from) && !is_pointer(to) {
        true => terms.unary(Op::AddressToInt, value),
        false => value,
    };
    Ok(match (terms.sort(value), target) {
        (Sort::Float(_), Sort::Float(kind)) => terms.unary(Op::FloatToFloat(kind), value),
        (Sort::Float(_), _) if is_signed(to) => {
            terms.unary(Op::FloatToSigned(target.width()), value)
        }
        (Sort::Float(_), _) => terms.unary(Op::FloatToUnsigned(target.width()), value),
        (_, Sort::Float(kind)) if is_signed(from) => terms.unary(Op::SignedToFloat(kind), value),
        (_, Sort::Float(kind)) => terms.unary(Op::UnsignedToFloat(kind), value),
        (_, target) => terms.resize(value, target.width(), is_signed(from)),
    })
}

/// Brings a value to a sort where two declarations of one function disagree.
pub(super) fn force_sort(terms: &mut Terms, value: Term, sort: Sort) -> Term {
    let now = terms.sort(value);
    if now == sort {
        return value;
    }
    let bits = match now {
        Sort::Float(_) => terms.unary(Op::FloatToBits, value),
        Sort::Bool => terms.bool_to_bv(value, 8),
        Sort::Bv(_) => value,
    };
    let bits = terms.resize(bits, sort.width(), false);
    match sort {
        Sort::Float(kind) => terms.unary(Op::FloatFromBits(kind), bits),
        Sort::Bool => terms.is_nonzero(bits),
        Sort::Bv(_) => bits,
    }
}

pub(super) fn unary(terms: &mut Terms, op: UnaryOp, value: Term) -> Term {
    let is_float = matches!(terms.sort(value), Sort::Float(_));
    match op {
        UnaryOp::Neg if is_float => terms.unary(Op::FloatNeg, value),
        UnaryOp::Neg => terms.unary(Op::Neg, value),
        UnaryOp::BitNot => terms.unary(Op::BitNot, value),
        UnaryOp::Not => {
            let truth = terms.is_nonzero(value);
            let falsity = terms.not(truth);
            terms.bool_to_bv(falsity, 32)
        }
    }
}

/// An operator of two values; `ty` is the type of the left one. Comparisons give an `int`.
pub(super) fn binary(
    terms: &mut Terms,
    op: BinaryOp,
    a: Term,
    b: Term,
    ty: &Type,
    span: Span,
) -> Lowered<Term> {
    if let Some(truth) = compare(terms, op, a, b, ty) {
        return Ok(terms.bool_to_bv(truth, 32));
    }
    if let Sort::Float(_) = terms.sort(a) {
        let op = match op {
            BinaryOp::Add => Op::FloatAdd,
            BinaryOp::Sub => Op::FloatSub,
            BinaryOp::Mul => Op::FloatMul,
            BinaryOp::Div => Op::FloatDiv,
            _ => return Err(Unsupported::at(span, "this operator on floating values")),
        };
        return Ok(terms.binary(op, a, b));
    }
    let signed = is_signed(ty);
    let op = match op {
        BinaryOp::Add => Op::Add,
        BinaryOp::Sub => Op::Sub,
        BinaryOp::Mul => Op::Mul,
        BinaryOp::Div if signed => Op::Sdiv,
        BinaryOp::Div => Op::Udiv,
        BinaryOp::Rem if signed => Op::Srem,
        BinaryOp::Rem => Op::Urem,
        BinaryOp::Shl => Op::Shl,
        BinaryOp::Shr if signed => Op::Ashr,
        BinaryOp::Shr => Op::Lshr,
        BinaryOp::BitAnd => Op::BitAnd,
        BinaryOp::BitOr => Op::BitOr,
        _ => Op::BitXor,
    };
    let b = match op {
        // The amount of a shift has a type of its own; it is known to be below the width.
        Op::Shl | Op::Ashr | Op::Lshr => {
            let width = terms.width(a);
            terms.resize(b, width, false)
        }
        _ => b,
    };
    Ok(terms.binary(op, a, b))
}

/// The outcome of a comparison, or `None` for other operators.
fn compare(terms: &mut Terms, op: BinaryOp, a: Term, b: Term, ty: &Type) -> Option<Term> {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    let (equal, less, at_most) = match terms.sort(a) {
        Sort::Float(_) => (Op::FloatEq, Op::FloatLt, Op::FloatLe),
        _ if is_signed(ty) => (Op::Eq, Op::Slt, Op::Sle),
        _ => (Op::Eq, Op::Ult, Op::Ule),
    };
    Some(match op {
        Eq => terms.binary(equal, a, b),
        Ne => {
            let same = terms.binary(equal, a, b);
            terms.not(same)
        }
        Lt => terms.binary(less, a, b),
        Le => terms.binary(at_most, a, b),
        Gt => terms.binary(less, b, a),
        Ge => terms.binary(at_most, b, a),
        _ => return None,
    })
}

/// What an atomic read-modify-write makes of the old value.
pub(super) fn atomic(terms: &mut Terms, op: AtomicOp, old: Term, value: Term) -> Term {
    let op = match op {
        AtomicOp::Add => Op::Add,
        AtomicOp::Sub => Op::Sub,
        AtomicOp::And => Op::BitAnd,
        AtomicOp::Or => Op::BitOr,
        AtomicOp::Xor => Op::BitXor,
        AtomicOp::Nand => {
            let both = terms.binary(Op::BitAnd, old, value);
            return terms.unary(Op::BitNot, both);
        }
    };
    terms.binary(op, old, value)
}

/// `pointer + index * scale`, or minus.
pub(super) fn pointer_add(
    terms: &mut Terms,
    pointer: Term,
    index: Term,
    signed: bool,
    negative: bool,
    scale: u64,
) -> Term {
    let width = terms.width(pointer);
    let index = terms.resize(index, width, signed);
    let scale = terms.bv(width, scale);
    let step = terms.binary(Op::Mul, index, scale);
    let op = if negative { Op::Sub } else { Op::Add };
    terms.binary(op, pointer, step)
}
