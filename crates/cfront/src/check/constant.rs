//! Constant expressions, computed as the target machine would.

use super::Checker;
use super::fault::{Typed, wrong};
use crate::ast;
use crate::hir::{BinaryOp, Expr, ExprKind, FloatType, IntKind, IntType, Type, UnaryOp};
use expr::{Op, Sort, apply, sign_extend};
use xcfa::Span;

/// The value of a constant expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Bits of an integer or pointer, zero-extended.
    Int(u64),
    /// A floating value.
    Float(f64),
}

impl Checker<'_> {
    /// The value of an integer constant expression as bits of its type, and that type.
    pub fn int_constant(&mut self, expr: &ast::Expr) -> Typed<(u64, IntType)> {
        let typed = self.rvalue_expr(expr)?;
        match (self.fold(&typed), typed.ty.unqualified()) {
            (Some(Value::Int(bits)), Type::Int(int)) => Ok((bits, *int)),
            _ => Err(wrong(expr.span, "this must be an integer constant")),
        }
    }

    /// A constant as a number that must not be negative.
    pub fn count_constant(&mut self, expr: &ast::Expr, what: &str) -> Typed<u64> {
        let (bits, int) = self.int_constant(expr)?;
        if int.signed && sign_extend(bits, self.bits_of(int)) < 0 {
            return Err(wrong(expr.span, format!("{what} is negative")));
        }
        Ok(bits)
    }

    /// The value of an expression, if it is constant.
    pub fn fold(&self, expr: &Expr) -> Option<Value> {
        match &expr.kind {
            ExprKind::Int(bits) => Some(Value::Int(*bits)),
            ExprKind::Float(value) => Some(Value::Float(*value)),
            ExprKind::Cast(inner) => self.fold_cast(self.fold(inner)?, &inner.ty, &expr.ty),
            ExprKind::Unary(op, inner) => self.fold_unary(*op, inner),
            ExprKind::Binary(op, a, b) => self.fold_binary(*op, a, b),
            ExprKind::LogicalAnd(a, b) => match self.fold_truth(a)? {
                false => Some(Value::Int(0)),
                true => Some(Value::Int(self.fold_truth(b)? as u64)),
            },
            ExprKind::LogicalOr(a, b) => match self.fold_truth(a)? {
                true => Some(Value::Int(1)),
                false => Some(Value::Int(self.fold_truth(b)? as u64)),
            },
            ExprKind::Conditional(c, a, b) => self.fold(if self.fold_truth(c)? { a } else { b }),
            // The left side of a comma is evaluated: only one without effects may be left out.
            ExprKind::Comma(a, b) => self.fold(a).and_then(|_| self.fold(b)),
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self
                .fold_address(place)
                .map(|bits| Value::Int(self.pointer_bits(bits))),
            ExprKind::PointerAdd {
                pointer,
                index,
                negative,
                scale,
            } => {
                let Value::Int(base) = self.fold(pointer)? else {
                    return None;
                };
                let Value::Int(index_bits) = self.fold(index)? else {
                    return None;
                };
                let Type::Int(int) = index.ty else {
                    return None;
                };
                let index = self.number(index_bits, int).wrapping_mul(*scale as i64);
                let moved = if *negative {
                    index.wrapping_neg()
                } else {
                    index
                };
                Some(Value::Int(
                    self.pointer_bits(base.wrapping_add(moved as u64)),
                ))
            }
            ExprKind::PointerDiff { left, right, scale } => {
                let Value::Int(a) = self.fold(left)? else {
                    return None;
                };
                let Value::Int(b) = self.fold(right)? else {
                    return None;
                };
                let difference = (a as i64)
                    .wrapping_sub(b as i64)
                    .checked_div(*scale as i64)?;
                Some(Value::Int(self.pointer_bits(difference as u64)))
            }
            _ => None,
        }
    }

    fn pointer_bits(&self, bits: u64) -> u64 {
        bits & Sort::Bv(self.model.pointer_bits()).mask()
    }

    /// The address of a place that starts from a number: `&((struct s *)0)->member`.
    fn fold_address(&self, place: &Expr) -> Option<u64> {
        match &place.kind {
            ExprKind::Deref(pointer) => match self.fold(pointer)? {
                Value::Int(bits) => Some(bits),
                Value::Float(_) => None,
            },
            ExprKind::Member(base, field) if field.bits.is_none() => {
                Some(self.fold_address(base)?.wrapping_add(field.offset))
            }
            _ => None,
        }
    }

    /// The truth of a constant.
    pub fn fold_truth(&self, expr: &Expr) -> Option<bool> {
        Some(match self.fold(expr)? {
            Value::Int(bits) => bits != 0,
            Value::Float(value) => value != 0.0,
        })
    }

    fn number(&self, bits: u64, int: IntType) -> i64 {
        if int.signed {
            sign_extend(bits, self.bits_of(int))
        } else {
            bits as i64
        }
    }

    fn fold_cast(&self, value: Value, from: &Type, to: &Type) -> Option<Value> {
        let (from, to) = (from.unqualified(), to.unqualified());
        match (value, to) {
            (
                Value::Int(bits),
                Type::Int(IntType {
                    kind: IntKind::Bool,
                    ..
                }),
            ) => Some(Value::Int((bits != 0) as u64)),
            (
                Value::Float(value),
                Type::Int(IntType {
                    kind: IntKind::Bool,
                    ..
                }),
            ) => Some(Value::Int((value != 0.0) as u64)),
            (
                _,
                Type::Int(IntType {
                    kind: IntKind::Int128,
                    ..
                }),
            ) => None,
            (Value::Int(bits), Type::Int(int)) => {
                let wide = match from {
                    Type::Int(from) => self.number(bits, *from) as u64,
                    _ => bits,
                };
                Some(Value::Int(wide & Sort::Bv(self.bits_of(*int)).mask()))
            }
            (Value::Int(bits), Type::Pointer(_)) => {
                let wide = match from {
                    Type::Int(from) => self.number(bits, *from) as u64,
                    _ => bits,
                };
                Some(Value::Int(self.pointer_bits(wide)))
            }
            (Value::Int(bits), Type::Float(kind)) => {
                let Type::Int(from) = from else { return None };
                let exact = match from.signed {
                    true => sign_extend(bits, self.bits_of(*from)) as f64,
                    false => bits as f64,
                };
                Some(Value::Float(round(exact, *kind)))
            }
            (Value::Float(value), Type::Float(kind)) => Some(Value::Float(round(value, *kind))),
            (Value::Float(value), Type::Int(int)) => {
                let whole = if int.signed {
                    value as i64 as u64
                } else {
                    value as u64
                };
                Some(Value::Int(whole & Sort::Bv(self.bits_of(*int)).mask()))
            }
            _ => None,
        }
    }

    fn fold_unary(&self, op: UnaryOp, inner: &Expr) -> Option<Value> {
        let value = self.fold(inner)?;
        match (op, value, inner.ty.unqualified()) {
            (UnaryOp::Not, Value::Int(bits), _) => Some(Value::Int((bits == 0) as u64)),
            (UnaryOp::Not, Value::Float(value), _) => Some(Value::Int((value == 0.0) as u64)),
            (UnaryOp::Neg, Value::Float(value), _) => Some(Value::Float(-value)),
            (_, Value::Int(bits), Type::Int(int)) => {
                let sort = Sort::Bv(self.bits_of(*int).min(64));
                let op = if op == UnaryOp::Neg {
                    Op::Neg
                } else {
                    Op::BitNot
                };
                Some(Value::Int(apply(op, sort, bits, 0)))
            }
            _ => None,
        }
    }

    fn fold_binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Value> {
        let (x, y) = match (self.fold(a)?, self.fold(b)?) {
            (Value::Int(x), Value::Int(y)) => (x, y),
            (Value::Float(x), Value::Float(y)) => return fold_float(op, x, y, &a.ty),
            _ => return None,
        };
        let signed = matches!(a.ty.unqualified(), Type::Int(int) if int.signed);
        let width = 8 * self.size_of(a.ty.unqualified())? as u32;
        if width > 64 {
            return None;
        }
        let pick = |if_signed, otherwise| if signed { if_signed } else { otherwise };
        let (op, x, y) = match op {
            BinaryOp::Add => (Op::Add, x, y),
            BinaryOp::Sub => (Op::Sub, x, y),
            BinaryOp::Mul => (Op::Mul, x, y),
            BinaryOp::Div | BinaryOp::Rem if y == 0 => return None,
            BinaryOp::Div => (pick(Op::Sdiv, Op::Udiv), x, y),
            BinaryOp::Rem => (pick(Op::Srem, Op::Urem), x, y),
            BinaryOp::Shl | BinaryOp::Shr if y >= u64::from(width) => return None,
            BinaryOp::Shl => (Op::Shl, x, y),
            BinaryOp::Shr => (pick(Op::Ashr, Op::Lshr), x, y),
            BinaryOp::BitAnd => (Op::BitAnd, x, y),
            BinaryOp::BitOr => (Op::BitOr, x, y),
            BinaryOp::BitXor => (Op::BitXor, x, y),
            BinaryOp::Eq => (Op::Eq, x, y),
            BinaryOp::Ne => return Some(Value::Int((x != y) as u64)),
            BinaryOp::Lt => (pick(Op::Slt, Op::Ult), x, y),
            BinaryOp::Le => (pick(Op::Sle, Op::Ule), x, y),
            BinaryOp::Gt => (pick(Op::Slt, Op::Ult), y, x),
            BinaryOp::Ge => (pick(Op::Sle, Op::Ule), y, x),
        };
        Some(Value::Int(apply(op, Sort::Bv(width), x, y)))
    }

    /// An integer constant of a type.
    pub fn int_expr(&self, bits: u64, int: IntType, span: Span) -> Expr {
        let width = self.bits_of(int).min(64);
        Expr::new(
            ExprKind::Int(bits & Sort::Bv(width).mask()),
            Type::Int(int),
            span,
        )
    }
}

fn round(value: f64, kind: FloatType) -> f64 {
    if kind == FloatType::Float {
        f64::from(value as f32)
    } else {
        value
    }
}

fn fold_float(op: BinaryOp, x: f64, y: f64, ty: &Type) -> Option<Value> {
    let truth = |value: bool| Some(Value::Int(value as u64));
    let result = match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        BinaryOp::Div => x / y,
        BinaryOp::Eq => return truth(x == y),
        BinaryOp::Ne => return truth(x != y),
        BinaryOp::Lt => return truth(x < y),
        BinaryOp::Le => return truth(x <= y),
        BinaryOp::Gt => return truth(x > y),
        BinaryOp::Ge => return truth(x >= y),
        _ => return None,
    };
    match ty.unqualified() {
        Type::Float(FloatType::LongDouble) => None,
        // Rounding the exact double result of two floats once more gives the float result.
        Type::Float(kind) => Some(Value::Float(round(result, *kind))),
        _ => None,
    }
}
