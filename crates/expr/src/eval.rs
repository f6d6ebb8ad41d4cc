//! The values of terms: the one definition of every operator.

use crate::{FloatKind, Node, ObjId, Op, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;

/// Where variables and objects get their values.
pub trait Env {
    /// The value of a variable, zero-extended to its sort.
    fn var(&self, var: VarId) -> u64;
    /// The address of an object.
    fn base(&self, obj: ObjId) -> u64;
}

/// Reads the low `width` bits of `bits` as a signed number.
pub fn sign_extend(bits: u64, width: u32) -> i64 {
    let unused = 64 - width;
    ((bits << unused) as i64) >> unused
}

/// A larger term is evaluated with a table: what occurs in it many times is evaluated once.
const LARGE: u16 = 512;

/// A smaller one is evaluated faster than it is found in a table.
const SMALL: u16 = 16;

impl Terms {
    /// The value of `term` under `env`.
    pub fn eval<E: Env + ?Sized>(&self, term: Term, env: &E) -> u64 {
        match self.tree_size(term) < LARGE {
            true => self.eval_tree(term, env),
            false => self.eval_shared(term, env, &mut FxHashMap::default()),
        }
    }

    fn eval_tree<E: Env + ?Sized>(&self, term: Term, env: &E) -> u64 {
        self.eval_node(term, env, &mut |part| self.eval_tree(part, env))
    }

    fn eval_shared<E: Env + ?Sized>(
        &self,
        term: Term,
        env: &E,
        known: &mut FxHashMap<Term, u64>,
    ) -> u64 {
        if self.tree_size(term) < SMALL {
            return self.eval_tree(term, env);
        }
        if let Some(&value) = known.get(&term) {
            return value;
        }
        let value = self.eval_node(term, env, &mut |part| self.eval_shared(part, env, known));
        known.insert(term, value);
        value
    }

    /// The value of a term, by those of its parts that it depends on.
    #[inline(always)]
    fn eval_node<E: Env + ?Sized>(
        &self,
        term: Term,
        env: &E,
        part: &mut impl FnMut(Term) -> u64,
    ) -> u64 {
        match self.node(term) {
            Node::Const(_, bits) => bits,
            Node::Var(var, _) => env.var(var),
            Node::Base(obj, _) => env.base(obj),
            Node::Unary(op, a) => apply(op, self.sort(a), part(a), 0),
            // A conjunction or disjunction that its first argument decides needs no second.
            Node::Binary(Op::And, a, b) => (part(a) != 0 && part(b) != 0) as u64,
            Node::Binary(Op::Or, a, b) => (part(a) != 0 || part(b) != 0) as u64,
            Node::Binary(Op::Concat, a, b) => part(a) << self.width(b) | part(b),
            Node::Binary(op, a, b) => apply(op, self.sort(a), part(a), part(b)),
            Node::Ite(c, a, b) => {
                let chosen = if part(c) != 0 { a } else { b };
                part(chosen)
            }
        }
    }
}

/// Applies an operator to one or two values whose first has the given sort.
///
/// `Ite` and `Concat` need more than that and are handled by [`Terms::eval`].
pub fn apply(op: Op, sort: Sort, a: u64, b: u64) -> u64 {
    use Op::*;
    let width = sort.width();
    let signed = |bits| sign_extend(bits, width);
    match op {
        Not => a ^ 1,
        And => a & b,
        Or => a | b,
        Eq => (a == b) as u64,
        Neg => a.wrapping_neg() & sort.mask(),
        BitNot => !a & sort.mask(),
        Add => a.wrapping_add(b) & sort.mask(),
        Sub => a.wrapping_sub(b) & sort.mask(),
        Mul => a.wrapping_mul(b) & sort.mask(),
        Udiv => a.checked_div(b).unwrap_or(sort.mask()),
        Urem => a.checked_rem(b).unwrap_or(a),
        Sdiv if b == 0 => (if signed(a) < 0 { 1 } else { u64::MAX }) & sort.mask(),
        Sdiv => signed(a).wrapping_div(signed(b)) as u64 & sort.mask(),
        Srem if b == 0 => a,
        Srem => signed(a).wrapping_rem(signed(b)) as u64 & sort.mask(),
        BitAnd => a & b,
        BitOr => a | b,
        BitXor => a ^ b,
        Shl if b >= width as u64 => 0,
        Shl => a << b & sort.mask(),
        Lshr if b >= width as u64 => 0,
        Lshr => a >> b,
        Ashr => (signed(a) >> b.min(63)) as u64 & sort.mask(),
        Ult => (a < b) as u64,
        Ule => (a <= b) as u64,
        Slt => (signed(a) < signed(b)) as u64,
        Sle => (signed(a) <= signed(b)) as u64,
        SaddOverflow => leaves(signed(a) as i128 + signed(b) as i128, width) as u64,
        SsubOverflow => leaves(signed(a) as i128 - signed(b) as i128, width) as u64,
        SmulOverflow => leaves(signed(a) as i128 * signed(b) as i128, width) as u64,
        UaddOverflow => (a as u128 + b as u128 > sort.mask() as u128) as u64,
        UsubOverflow => (a < b) as u64,
        UmulOverflow => (a as u128 * b as u128 > sort.mask() as u128) as u64,
        Extract { hi, lo } => a >> lo & Sort::Bv(hi - lo + 1).mask(),
        ZeroExt(_) | AddressToInt => a,
        SignExt(to) => signed(a) as u64 & Sort::Bv(to).mask(),
        Ite | Concat => unreachable!("{op:?} is evaluated where its arguments are known"),
        _ => apply_float(op, sort, a, b),
    }
}

/// Is `value` outside the signed range of `width` bits?
fn leaves(value: i128, width: u32) -> bool {
    let half = 1i128 << (width - 1);
    value < -half || value >= half
}

fn apply_float(op: Op, sort: Sort, a: u64, b: u64) -> u64 {
    use Op::*;
    match op {
        FloatToBits | FloatFromBits(_) => return a,
        SignedToFloat(kind) => return from_int(kind, sign_extend(a, sort.width()) as i128),
        UnsignedToFloat(kind) => return from_int(kind, a as i128),
        _ => {}
    }
    match sort {
        Sort::Float(FloatKind::F32) => {
            let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            let of = |value: f32| value.to_bits() as u64;
            match op {
                FloatNeg => of(-x),
                FloatAdd => of(x + y),
                FloatSub => of(x - y),
                FloatMul => of(x * y),
                FloatDiv => of(x / y),
                FloatEq => (x == y) as u64,
                FloatLt => (x < y) as u64,
                FloatLe => (x <= y) as u64,
                _ => convert(op, x as f64),
            }
        }
        _ => {
            let (x, y) = (f64::from_bits(a), f64::from_bits(b));
            match op {
                FloatNeg => (-x).to_bits(),
                FloatAdd => (x + y).to_bits(),
                FloatSub => (x - y).to_bits(),
                FloatMul => (x * y).to_bits(),
                FloatDiv => (x / y).to_bits(),
                FloatEq => (x == y) as u64,
                FloatLt => (x < y) as u64,
                FloatLe => (x <= y) as u64,
                _ => convert(op, x),
            }
        }
    }
}

fn convert(op: Op, x: f64) -> u64 {
    match op {
        Op::FloatToFloat(FloatKind::F32) => (x as f32).to_bits() as u64,
        Op::FloatToFloat(FloatKind::F64) => x.to_bits(),
        Op::FloatToSigned(width) => x as i64 as u64 & Sort::Bv(width).mask(),
        Op::FloatToUnsigned(width) => x as u64 & Sort::Bv(width).mask(),
        _ => unreachable!("{op:?} does not take a float"),
    }
}

fn from_int(kind: FloatKind, value: i128) -> u64 {
    match kind {
        FloatKind::F32 => (value as f32).to_bits() as u64,
        FloatKind::F64 => (value as f64).to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Seven;

    impl Env for Seven {
        fn var(&self, _: VarId) -> u64 {
            7
        }
        fn base(&self, _: ObjId) -> u64 {
            0
        }
    }

    /// As a tree this term has more nodes than anybody can visit.
    #[test]
    fn what_occurs_often_is_evaluated_once() {
        let mut terms = Terms::new();
        let mut term = terms.var(VarId(0), Sort::Bv(32));
        let mut expected = 7u32;
        for other in 1..100 {
            let var = terms.var(VarId(other), Sort::Bv(32));
            let product = terms.binary(Op::Mul, term, var);
            let mixed = terms.binary(Op::BitXor, term, product);
            term = terms.binary(Op::Add, mixed, term);
            expected = (expected ^ expected.wrapping_mul(7)).wrapping_add(expected);
        }
        assert_eq!(terms.eval(term, &Seven), u64::from(expected));
    }
}
