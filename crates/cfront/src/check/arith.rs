//! Arithmetic, comparisons, and assignments that compute.

use super::Checker;
use super::fault::{Typed, wrong};
use crate::ast;
use crate::hir::{BinaryOp, Expr, ExprKind, Type, UnaryOp};
use xcfa::Span;

impl Checker<'_> {
    /// `a op b`.
    pub fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Typed<Expr> {
        use BinaryOp::*;
        let is_pointer = |side: &Expr| matches!(side.ty.unqualified(), Type::Pointer(_));
        match op {
            Add if is_pointer(&a) => return self.pointer_add(a, b, false, span),
            Add if is_pointer(&b) => return self.pointer_add(b, a, false, span),
            Sub if is_pointer(&a) && is_pointer(&b) => return self.pointer_diff(a, b, span),
            Sub if is_pointer(&a) => return self.pointer_add(a, b, true, span),
            Eq | Ne | Lt | Le | Gt | Ge if is_pointer(&a) || is_pointer(&b) => {
                return self.compare_pointers(op, a, b, span);
            }
            _ => {}
        }
        let (a, b, ty) = match op {
            Shl | Shr => {
                let (a, b) = (self.promote(a)?, self.promote(b)?);
                let ty = a.ty.clone();
                (a, b, ty)
            }
            _ => {
                let (a, b) = self.usual(a, b)?;
                let ty = match op {
                    Eq | Ne | Lt | Le | Gt | Ge => Type::INT,
                    _ => a.ty.clone(),
                };
                (a, b, ty)
            }
        };
        let needs_int = matches!(op, Rem | BitAnd | BitOr | BitXor);
        if needs_int && !matches!(a.ty, Type::Int(_)) {
            return Err(wrong(span, "this operator takes integers"));
        }
        Ok(Expr::new(
            ExprKind::Binary(op, Box::new(a), Box::new(b)),
            ty,
            span,
        ))
    }

    /// Size of what a pointer points to; functions and `void` count 1.
    pub fn pointee_size(&self, pointer: &Expr) -> Typed<u64> {
        match pointer.ty.unqualified() {
            Type::Pointer(pointee) => self.complete_size(pointee, pointer.span),
            _ => Err(wrong(pointer.span, "this must be a pointer")),
        }
    }

    fn pointer_add(
        &mut self,
        pointer: Expr,
        index: Expr,
        negative: bool,
        span: Span,
    ) -> Typed<Expr> {
        let scale = self.pointee_size(&pointer)?;
        let index = self.promote(index)?;
        let ty = pointer.ty.clone();
        let (pointer, index) = (Box::new(pointer), Box::new(index));
        Ok(Expr::new(
            ExprKind::PointerAdd {
                pointer,
                index,
                negative,
                scale,
            },
            ty,
            span,
        ))
    }

    fn pointer_diff(&mut self, left: Expr, right: Expr, span: Span) -> Typed<Expr> {
        let scale = self.pointee_size(&left)?.max(1);
        let ty = Type::Int(self.difference_type());
        let (left, right) = (Box::new(left), Box::new(right));
        Ok(Expr::new(
            ExprKind::PointerDiff { left, right, scale },
            ty,
            span,
        ))
    }

    fn compare_pointers(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Typed<Expr> {
        let ty = match a.ty.unqualified() {
            Type::Pointer(_) => a.ty.clone(),
            _ => b.ty.clone(),
        };
        let (a, b) = (self.assign_convert(a, &ty)?, self.assign_convert(b, &ty)?);
        let kind = ExprKind::Binary(op, Box::new(a), Box::new(b));
        Ok(Expr::new(kind, Type::INT, span))
    }

    /// `-a`, `~a`, `!a`, `+a`.
    pub fn unary(&mut self, op: ast::UnaryOp, a: Expr, span: Span) -> Typed<Expr> {
        let op = match op {
            ast::UnaryOp::Not => {
                self.check_scalar(&a)?;
                let kind = ExprKind::Unary(UnaryOp::Not, Box::new(a));
                return Ok(Expr::new(kind, Type::INT, span));
            }
            ast::UnaryOp::Neg => Some(UnaryOp::Neg),
            ast::UnaryOp::BitNot => Some(UnaryOp::BitNot),
            _ => None,
        };
        let a = match a.ty.unqualified() {
            Type::Float(_) if op != Some(UnaryOp::BitNot) => a,
            _ => self.promote(a)?,
        };
        let ty = a.ty.clone();
        Ok(match op {
            Some(op) => Expr::new(ExprKind::Unary(op, Box::new(a)), ty, span),
            None => Expr { span, ..a },
        })
    }

    fn modifiable(&self, place: &Expr) -> Typed<()> {
        if !place.kind.is_lvalue() {
            return Err(wrong(place.span, "this cannot be assigned to"));
        }
        match place.ty {
            Type::Array(..) | Type::Function(_) | Type::Void => {
                Err(wrong(place.span, "this cannot be assigned to"))
            }
            _ => Ok(()),
        }
    }

    /// `place = value` and `place op= value`.
    pub fn assign(
        &mut self,
        op: Option<BinaryOp>,
        place: Expr,
        value: Expr,
        span: Span,
    ) -> Typed<Expr> {
        self.modifiable(&place)?;
        let ty = place.ty.unqualified().clone();
        let kind = match op {
            None => {
                let value = self.assign_convert(value, &ty)?;
                ExprKind::Assign(Box::new(place), Box::new(value))
            }
            Some(op @ (BinaryOp::Add | BinaryOp::Sub)) if matches!(ty, Type::Pointer(_)) => {
                let pointer = Expr::new(ExprKind::Int(0), ty.clone(), span);
                let scale = self.pointee_size(&pointer)?;
                let index = Box::new(self.promote(value)?);
                let negative = op == BinaryOp::Sub;
                ExprKind::PointerAssignAdd {
                    place: Box::new(place),
                    index,
                    negative,
                    scale,
                }
            }
            Some(op) => {
                let read = self.rvalue(place.clone());
                let (value, compute) = match op {
                    BinaryOp::Shl | BinaryOp::Shr => (self.promote(value)?, self.promote(read)?.ty),
                    _ => {
                        let (read, value) = self.usual(read, value)?;
                        (value, read.ty)
                    }
                };
                let (place, value) = (Box::new(place), Box::new(value));
                ExprKind::CompoundAssign {
                    op,
                    place,
                    value,
                    compute,
                }
            }
        };
        Ok(Expr { kind, ty, span })
    }

    /// `++` and `--`.
    pub fn step(&mut self, op: ast::UnaryOp, place: Expr, span: Span) -> Typed<Expr> {
        use ast::UnaryOp::*;
        self.modifiable(&place)?;
        let ty = place.ty.unqualified().clone();
        let scale = match &ty {
            Type::Pointer(pointee) => self.complete_size(pointee, span)?,
            _ if ty.is_scalar() => 1,
            _ => return Err(wrong(span, "this cannot be counted up or down")),
        };
        let kind = ExprKind::IncDec {
            place: Box::new(place),
            decrement: matches!(op, PreDecrement | PostDecrement),
            prefix: matches!(op, PreIncrement | PreDecrement),
            scale,
        };
        Ok(Expr { kind, ty, span })
    }

    /// `c ? a : b`, or `c ?: b`.
    pub fn conditional(&mut self, cond: Expr, a: Option<Expr>, b: Expr, span: Span) -> Typed<Expr> {
        self.check_scalar(&cond)?;
        let elvis = a.is_none();
        let (a, b) = self.balance(a.unwrap_or_else(|| cond.clone()), b, span)?;
        let ty = a.ty.clone();
        let kind = match elvis {
            true => ExprKind::Elvis(Box::new(a), Box::new(b)),
            false => ExprKind::Conditional(Box::new(cond), Box::new(a), Box::new(b)),
        };
        Ok(Expr { kind, ty, span })
    }

    /// Brings the branches of a conditional to one type.
    fn balance(&mut self, a: Expr, b: Expr, span: Span) -> Typed<(Expr, Expr)> {
        match (a.ty.unqualified(), b.ty.unqualified()) {
            (Type::Int(_) | Type::Float(_), Type::Int(_) | Type::Float(_)) => self.usual(a, b),
            (Type::Void, _) | (_, Type::Void) => {
                let void = |side: Expr| {
                    let span = side.span;
                    Expr::new(ExprKind::Cast(Box::new(side)), Type::Void, span)
                };
                Ok((void(a), void(b)))
            }
            (Type::Record(x), Type::Record(y)) if x == y => Ok((a, b)),
            (Type::Pointer(x), Type::Pointer(y)) => {
                // A null constant takes the other type; otherwise `void *` wins.
                let null = |side: &Expr| self.fold(side) == Some(super::constant::Value::Int(0));
                let void = |pointee: &Type| *pointee == Type::Void;
                let take_b = (void(x) && null(&a)) || (void(y) && !null(&b));
                let ty = if take_b { b.ty.clone() } else { a.ty.clone() };
                Ok((self.convert(a, &ty), self.convert(b, &ty)))
            }
            (Type::Pointer(_), Type::Int(_)) => {
                let ty = a.ty.clone();
                let b = self.convert(b, &ty);
                Ok((a, b))
            }
            (Type::Int(_), Type::Pointer(_)) => {
                let ty = b.ty.clone();
                let a = self.convert(a, &ty);
                Ok((a, b))
            }
            _ => Err(wrong(span, "the two branches have types that do not fit")),
        }
    }
}
