//! Random expressions, places and assertions.

use super::Generator;
use crate::program::{BinaryOp, COUNTERS, Expr, Field, Int, LOCALS, Lvalue, UnaryOp};

const NUMBERS: [i64; 12] = [0, 0, 1, 1, 2, 3, 5, -1, 127, 128, 255, 65_535];

/// Values that variables often hold at the end.
const LIKELY: [i64; 5] = [0, 1, 2, 3, -1];

const ARITHMETIC: [BinaryOp; 6] = [
    BinaryOp::Add,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::And,
    BinaryOp::Xor,
];

const COMPARISONS: [BinaryOp; 4] = [BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Lt, BinaryOp::Le];

impl Generator<'_> {
    pub(super) fn number(&mut self) -> Expr {
        Expr::Const(self.rng.pick(&NUMBERS))
    }

    /// A value; `depth` bounds the operators above its leaves.
    pub(super) fn expr(&mut self, depth: usize) -> Expr {
        if depth > 0
            && let Some(expr) = self.extra_expr()
        {
            return expr;
        }
        match self.rng.below(10) {
            0..=2 => self.number(),
            3..=5 => Expr::Read(self.local_read()),
            6..=7 if depth == 0 => Expr::Read(self.shared()),
            8..=9 if depth == 0 => self.number(),
            6..=7 => {
                let op = self.rng.pick(&ARITHMETIC);
                let (left, right) = (self.expr(depth - 1), self.expr(0));
                Expr::Binary(op, left.into(), right.into())
            }
            8 => {
                let op = self.unary_op();
                Expr::Unary(op, self.expr(depth - 1).into())
            }
            _ => match self.rng.below(4) {
                0 => {
                    let cond = self.condition(depth - 1);
                    Expr::Cond(cond.into(), self.expr(0).into(), self.expr(0).into())
                }
                _ => Expr::Read(self.shared()),
            },
        }
    }

    fn unary_op(&mut self) -> UnaryOp {
        match self.rng.below(8) {
            0 => UnaryOp::Neg,
            1 => UnaryOp::BitNot,
            2 => UnaryOp::Not,
            3 => UnaryOp::Shl(self.rng.between(1, 3) as u8),
            4 => UnaryOp::Shr(self.rng.between(1, 3) as u8),
            5 => UnaryOp::Div(self.rng.between(2, 5) as u8),
            6 => UnaryOp::Rem(self.rng.between(2, 5) as u8),
            _ => UnaryOp::Cast(
                self.rng
                    .pick(&[Int::Bool, Int::I8, Int::U8, Int::I16, Int::U64]),
            ),
        }
    }

    /// A truth value that depends on the execution.
    pub(super) fn condition(&mut self, depth: usize) -> Expr {
        let read = if self.rng.chance(60) {
            self.shared()
        } else {
            self.local_read()
        };
        let op = self.rng.pick(&COMPARISONS);
        let right = if self.rng.chance(70) {
            self.number()
        } else {
            self.expr(0)
        };
        let simple = Expr::Binary(op, Expr::Read(read).into(), right.into());
        if depth > 0 && self.rng.chance(25) {
            let op = self.rng.pick(&[BinaryOp::LogicalAnd, BinaryOp::LogicalOr]);
            let other = self.condition(depth - 1);
            return Expr::Binary(op, simple.into(), other.into());
        }
        simple
    }

    /// A claim that holds fairly often: most deny that some place has some value.
    pub(super) fn assertion(&mut self) -> Expr {
        let differs = |generator: &mut Self| {
            let place = match generator.rng.below(10) {
                0 => generator.local_read(),
                // In `main` these hold what the threads returned.
                1..=4 => Lvalue::Local(generator.rng.below(LOCALS)),
                _ => generator.shared(),
            };
            let number = match generator.rng.below(4) {
                0 => generator.number(),
                _ => Expr::Const(generator.rng.pick(&LIKELY)),
            };
            Expr::Binary(BinaryOp::Ne, Expr::Read(place).into(), number.into())
        };
        match self.rng.below(10) {
            0..=4 => differs(self),
            5..=8 => {
                let (left, right) = (differs(self), differs(self));
                Expr::Binary(BinaryOp::LogicalOr, left.into(), right.into())
            }
            _ => self.condition(1),
        }
    }

    /// Something only this thread can see.
    pub(super) fn local_read(&mut self) -> Lvalue {
        let thread_locals = self.program.thread_locals.len();
        match self.rng.below(8) {
            0 | 1 => Lvalue::Arg,
            2 => Lvalue::Counter(self.rng.below(COUNTERS)),
            3 if thread_locals > 0 => Lvalue::ThreadLocal(self.rng.below(thread_locals)),
            _ => Lvalue::Local(self.rng.below(LOCALS)),
        }
    }

    /// Something that several threads can see.
    pub(super) fn shared(&mut self) -> Lvalue {
        let program = &self.program;
        let (arrays, records) = (program.arrays.len(), program.records.len());
        let (pointers, globals) = (program.pointers.len(), program.globals.len());
        match self.rng.below(12) {
            0 | 1 if arrays > 0 => {
                let array = self.rng.below(arrays);
                let index = if self.rng.chance(50) {
                    self.number()
                } else {
                    self.expr(0)
                };
                Lvalue::Element(array, index.into())
            }
            2 | 3 if records > 0 => {
                let fields = [Field::Char, Field::Number, Field::Low, Field::High];
                Lvalue::Member(self.rng.below(records), self.rng.pick(&fields))
            }
            4 | 5 if pointers > 0 => Lvalue::Deref(self.rng.below(pointers)),
            6 if self.profile.pointers => Lvalue::Param,
            7 if self.profile.pointers && self.rng.chance(40) => {
                let at = self.rng.below(globals);
                let atomic = self.program.globals[at].atomic;
                if atomic || self.program.globals[at].ty == Int::Bool {
                    Lvalue::Global(at)
                } else {
                    Lvalue::Byte(at, self.rng.below(8))
                }
            }
            _ => Lvalue::Global(self.rng.below(globals)),
        }
    }

    /// Something that an atomic built-in can work on.
    pub(super) fn atomic_place(&mut self) -> Lvalue {
        let program = &self.program;
        let mut places: Vec<Lvalue> = (0..program.globals.len())
            .filter(|&at| !program.globals[at].atomic && program.globals[at].ty != Int::Bool)
            .map(Lvalue::Global)
            .collect();
        if self.profile.pointers {
            places.push(Lvalue::Param);
        }
        places.extend((0..program.pointers.len()).map(Lvalue::Deref));
        let at = self.rng.below(places.len());
        places.swap_remove(at)
    }
}
