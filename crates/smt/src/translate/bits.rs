//! Operators on bit vectors. Division by zero and wide shifts mean the same on both sides.

use super::Value;
use expr::Op;
use z3::ast::{BV, Bool};

/// An operator of one argument, except `Not` and those that take floats.
pub(super) fn unary(op: Op, a: &BV) -> BV {
    let width = a.get_size();
    match op {
        Op::Neg => a.bvneg(),
        Op::BitNot => a.bvnot(),
        Op::Extract { hi, lo } => a.extract(hi, lo),
        Op::ZeroExt(to) => a.zero_ext(to - width),
        Op::SignExt(to) => a.sign_ext(to - width),
        Op::AddressToInt => a.clone(),
        _ => unreachable!("{op:?} is not an operator on one bit vector"),
    }
}

/// An operator of two arguments, except connectives and those that take floats.
pub(super) fn binary(op: Op, a: &BV, b: &BV) -> Value {
    let bits = match op {
        Op::Add => a.bvadd(b),
        Op::Sub => a.bvsub(b),
        Op::Mul => a.bvmul(b),
        Op::Udiv => a.bvudiv(b),
        Op::Sdiv => a.bvsdiv(b),
        Op::Urem => a.bvurem(b),
        Op::Srem => a.bvsrem(b),
        Op::BitAnd => a.bvand(b),
        Op::BitOr => a.bvor(b),
        Op::BitXor => a.bvxor(b),
        Op::Shl => a.bvshl(b),
        Op::Lshr => a.bvlshr(b),
        Op::Ashr => a.bvashr(b),
        Op::Concat => a.concat(b),
        _ => return Value::Truth(relation(op, a, b)),
    };
    Value::Bits(bits)
}

fn relation(op: Op, a: &BV, b: &BV) -> Bool {
    match op {
        Op::Eq => a.eq(b),
        Op::Ult => a.bvult(b),
        Op::Ule => a.bvule(b),
        Op::Slt => a.bvslt(b),
        Op::Sle => a.bvsle(b),
        Op::SaddOverflow => signs_differ(&a.sign_ext(1).bvadd(b.sign_ext(1))),
        Op::SsubOverflow => signs_differ(&a.sign_ext(1).bvsub(b.sign_ext(1))),
        Op::UaddOverflow => carries(&a.zero_ext(1).bvadd(b.zero_ext(1))),
        Op::UsubOverflow => a.bvult(b),
        Op::SmulOverflow => {
            let fits = [a.bvmul_no_overflow(b, true), a.bvmul_no_underflow(b)];
            Bool::and(&fits).not()
        }
        Op::UmulOverflow => a.bvmul_no_overflow(b, false).not(),
        _ => unreachable!("{op:?} is not an operator on two bit vectors"),
    }
}

/// Does a result with one bit to spare need it to keep its sign?
fn signs_differ(wide: &BV) -> Bool {
    let top = wide.get_size() - 1;
    wide.extract(top, top).ne(wide.extract(top - 1, top - 1))
}

/// Does a result with one bit to spare use it?
fn carries(wide: &BV) -> Bool {
    let top = wide.get_size() - 1;
    wide.extract(top, top).eq(BV::from_u64(1, 1))
}
