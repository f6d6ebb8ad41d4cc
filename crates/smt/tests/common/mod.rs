//! Random terms over all operators, built from a recipe that shrinks well.

use expr::{FloatKind, ObjId, Op, Sort, Term, Terms, VarId};
use proptest::prelude::*;

/// One step of a recipe: which operator, on which earlier terms, with which width.
pub type Step = (u8, u8, u8, u8);

/// Sorts of the variables that recipes start from.
pub const VARS: [Sort; 8] = [
    Sort::Bv(1),
    Sort::Bv(7),
    Sort::Bv(8),
    Sort::Bv(32),
    Sort::Bv(64),
    Sort::Bool,
    Sort::Float(FloatKind::F32),
    Sort::Float(FloatKind::F64),
];

pub fn recipe(longest: usize) -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(any::<Step>(), 1..longest)
}

const BINARY: [Op; 27] = [
    Op::Eq,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Udiv,
    Op::Sdiv,
    Op::Urem,
    Op::Srem,
    Op::BitAnd,
    Op::BitOr,
    Op::BitXor,
    Op::Shl,
    Op::Lshr,
    Op::Ashr,
    Op::Ult,
    Op::Ule,
    Op::Slt,
    Op::Sle,
    Op::SaddOverflow,
    Op::SsubOverflow,
    Op::SmulOverflow,
    Op::UaddOverflow,
    Op::UsubOverflow,
    Op::UmulOverflow,
    Op::Concat,
    Op::And,
    Op::Or,
];

const FLOAT: [Op; 7] = [
    Op::FloatAdd,
    Op::FloatSub,
    Op::FloatMul,
    Op::FloatDiv,
    Op::FloatEq,
    Op::FloatLt,
    Op::FloatLe,
];

/// Builds the terms of a recipe; the last one is what it makes.
pub struct Kitchen<'a> {
    pub terms: &'a mut Terms,
    pub floats: bool,
    stock: Vec<Term>,
}

impl Kitchen<'_> {
    pub fn new(terms: &mut Terms, floats: bool) -> Kitchen<'_> {
        let count = if floats { VARS.len() } else { VARS.len() - 2 };
        let vars = (0..count).map(|n| terms.var(VarId(n as u32), VARS[n]));
        let stock = vars.collect();
        Kitchen {
            terms,
            floats,
            stock,
        }
    }

    pub fn cook(&mut self, recipe: &[Step]) -> Term {
        for &step in recipe {
            let term = self.step(step);
            self.stock.push(term);
        }
        *self.stock.last().expect("variables are in stock")
    }

    /// A truth value made by the recipe.
    pub fn cook_truth(&mut self, recipe: &[Step]) -> Term {
        let term = self.cook(recipe);
        self.truth(term)
    }

    /// Recent terms are more likely, so that terms grow deep.
    fn pick(&self, choice: u8) -> Term {
        let back = (choice as usize * choice as usize) / 256;
        self.stock[self.stock.len() - 1 - back % self.stock.len()]
    }

    fn step(&mut self, (op, a, b, width): Step) -> Term {
        let (x, y) = (self.pick(a), self.pick(b));
        let width = u32::from(width % 64) + 1;
        let kinds = if self.floats { 62 } else { 45 };
        match op % kinds {
            choice @ 0..=26 => self.binary(BINARY[choice as usize], x, y, width),
            27..=29 => {
                let x = self.truth(x);
                self.terms.not(x)
            }
            30..=32 => self.resized(Op::Neg, x, width),
            33 | 34 => self.resized(Op::BitNot, x, width),
            35..=37 => {
                let (c, y) = (self.truth(x), self.bits(y, width));
                let z = self.pick(op.wrapping_add(b));
                let z = self.bits(z, width);
                self.terms.ite(c, y, z)
            }
            38 => self
                .terms
                .bv(width, u64::from(a) << (b % 64) | u64::from(b)),
            39 => {
                let x = self.plain_bits(x);
                let hi = u32::from(b) % self.terms.width(x);
                let lo = u32::from(a) % (hi + 1);
                self.terms.extract(x, hi, lo)
            }
            40..=42 => {
                let x = self.plain_bits(x);
                let to = width.max(self.terms.width(x));
                self.terms.resize(x, to, op % 2 == 0)
            }
            43 | 44 => self.terms.base(ObjId(u32::from(a % 3)), 64),
            choice @ 45..=58 => self.float(FLOAT[choice as usize % 7], x, y, a),
            _ => self.conversion(x, a, b, width),
        }
    }

    fn binary(&mut self, op: Op, x: Term, y: Term, width: u32) -> Term {
        if matches!(op, Op::And | Op::Or) {
            let (x, y) = (self.truth(x), self.truth(y));
            return self.terms.binary(op, x, y);
        }
        let width = if op == Op::Concat {
            width % 32 + 1
        } else {
            width
        };
        let (x, y) = (self.bits(x, width), self.bits(y, width));
        self.terms.binary(op, x, y)
    }

    fn resized(&mut self, op: Op, x: Term, width: u32) -> Term {
        let x = self.bits(x, width);
        self.terms.unary(op, x)
    }

    fn float(&mut self, op: Op, x: Term, y: Term, choice: u8) -> Term {
        let kind = kind(choice);
        let (x, y) = (self.as_float(x, kind), self.as_float(y, kind));
        self.terms.binary(op, x, y)
    }

    fn conversion(&mut self, x: Term, a: u8, b: u8, width: u32) -> Term {
        let (from, to) = (kind(a), kind(b));
        let float = self.as_float(x, from);
        match a % 7 {
            0 => self.terms.unary(Op::FloatToFloat(to), float),
            1 => self.terms.unary(Op::FloatToSigned(width), float),
            2 => self.terms.unary(Op::FloatToUnsigned(width), float),
            3 => self.terms.unary(Op::FloatNeg, float),
            4 => self.terms.unary(Op::FloatToBits, float),
            5 => {
                let bits = self.bits(x, width);
                self.terms.unary(Op::SignedToFloat(to), bits)
            }
            _ => {
                let bits = self.bits(x, width);
                self.terms.unary(Op::UnsignedToFloat(to), bits)
            }
        }
    }

    fn truth(&mut self, x: Term) -> Term {
        match self.terms.sort(x) {
            Sort::Float(_) => {
                let x = self.plain_bits(x);
                self.terms.is_nonzero(x)
            }
            _ => self.terms.is_nonzero(x),
        }
    }

    fn plain_bits(&mut self, x: Term) -> Term {
        match self.terms.sort(x) {
            Sort::Bool => self.terms.bool_to_bv(x, 1),
            Sort::Bv(_) => x,
            Sort::Float(_) => self.terms.unary(Op::FloatToBits, x),
        }
    }

    fn bits(&mut self, x: Term, width: u32) -> Term {
        let x = self.plain_bits(x);
        self.terms.resize(x, width, width.is_multiple_of(2))
    }

    fn as_float(&mut self, x: Term, kind: FloatKind) -> Term {
        if self.terms.sort(x) == Sort::Float(kind) {
            return x;
        }
        let bits = self.bits(x, Sort::Float(kind).width());
        self.terms.unary(Op::FloatFromBits(kind), bits)
    }
}

fn kind(choice: u8) -> FloatKind {
    match choice % 2 {
        0 => FloatKind::F32,
        _ => FloatKind::F64,
    }
}
