//! Conversions between types, made explicit.

use super::Checker;
use super::fault::{Typed, beyond, wrong};
use crate::ast;
use crate::hir::{Expr, ExprKind, FloatType, IntKind, IntType, Type};
use std::sync::Arc;
use xcfa::Span;

impl Checker<'_> {
    /// Types an expression and takes its value.
    pub fn rvalue_expr(&mut self, expr: &ast::Expr) -> Typed<Expr> {
        let typed = self.expr(expr)?;
        Ok(self.rvalue(typed))
    }

    /// The value of an expression: what a place holds, an array as a pointer.
    pub fn rvalue(&mut self, expr: Expr) -> Expr {
        if !expr.kind.is_lvalue() {
            return match (&expr.kind, &expr.ty) {
                // A member of a record that is a value can be an array only in theory.
                (_, Type::Array(element, _)) => {
                    let (ty, span) = (Type::Pointer(element.clone()), expr.span);
                    Expr::new(ExprKind::Decay(Box::new(expr)), ty, span)
                }
                _ => expr,
            };
        }
        let span = expr.span;
        match expr.ty.clone() {
            Type::Array(element, _) => {
                let ty = Type::Pointer(element);
                Expr::new(ExprKind::Decay(Box::new(expr)), ty, span)
            }
            Type::Function(_) => {
                // Only `*f` gets here: it is the function again.
                let ty = Type::Pointer(Arc::new(expr.ty.clone()));
                match expr.kind {
                    ExprKind::Deref(pointer) => *pointer,
                    kind => Expr { kind, ty, span },
                }
            }
            ty => {
                let ty = ty.unqualified().clone();
                Expr::new(ExprKind::Load(Box::new(expr)), ty, span)
            }
        }
    }

    /// Converts a value to a type.
    pub fn convert(&self, expr: Expr, to: &Type) -> Expr {
        let to = to.unqualified();
        if expr.ty == *to {
            return expr;
        }
        let span = expr.span;
        let cast = Expr::new(ExprKind::Cast(Box::new(expr)), to.clone(), span);
        match (self.fold_int(&cast), to) {
            (Some(bits), Type::Int(int)) => self.int_expr(bits, *int, span),
            _ => cast,
        }
    }

    /// Converts as an assignment does, and refuses what has no meaning.
    pub fn assign_convert(&self, expr: Expr, to: &Type) -> Typed<Expr> {
        let target = to.unqualified();
        match (expr.ty.unqualified(), target) {
            (Type::Record(a), Type::Record(b)) if a == b => Ok(expr),
            (Type::Record(_), _) | (_, Type::Record(_)) => Err(wrong(
                expr.span,
                "a struct or union and something else do not mix",
            )),
            (Type::Void, _) => Err(wrong(expr.span, "this has no value")),
            (Type::Float(_), Type::Pointer(_)) | (Type::Pointer(_), Type::Float(_)) => Err(wrong(
                expr.span,
                "a pointer and a floating value do not mix",
            )),
            (Type::Array(..), _) | (_, Type::Array(..)) => {
                Err(wrong(expr.span, "arrays cannot be assigned"))
            }
            _ => Ok(self.convert(expr, target)),
        }
    }

    fn fold_int(&self, expr: &Expr) -> Option<u64> {
        let ExprKind::Cast(inner) = &expr.kind else {
            return None;
        };
        let ExprKind::Int(_) = inner.kind else {
            return None;
        };
        match self.fold(expr)? {
            super::constant::Value::Int(bits) => Some(bits),
            super::constant::Value::Float(_) => None,
        }
    }

    /// The type after integer promotion.
    pub fn promoted(&self, int: IntType) -> IntType {
        if int.kind < IntKind::Int {
            IntType::INT
        } else {
            int
        }
    }

    /// Integer promotion; a bit-field that is not wider than `int` becomes `int`, or `unsigned` if it
    /// must, whatever its declared type.
    pub fn promote(&self, expr: Expr) -> Typed<Expr> {
        let Type::Int(int) = *expr.ty.unqualified() else {
            return Err(wrong(expr.span, "this must be an integer"));
        };
        let to = match bit_width(&expr) {
            Some(width) if width < 32 || (width == 32 && int.signed) => IntType::INT,
            Some(32) => IntType {
                signed: false,
                ..IntType::INT
            },
            _ => self.promoted(int),
        };
        Ok(self.convert(expr, &Type::Int(to)))
    }

    /// Default argument promotions.
    pub fn promote_argument(&self, expr: Expr) -> Typed<Expr> {
        match expr.ty.unqualified() {
            Type::Int(_) => self.promote(expr),
            Type::Float(FloatType::Float) => {
                Ok(self.convert(expr, &Type::Float(FloatType::Double)))
            }
            Type::Void => Err(wrong(expr.span, "this has no value")),
            _ => Ok(expr),
        }
    }

    /// Brings two arithmetic values to their common type.
    pub fn usual(&self, a: Expr, b: Expr) -> Typed<(Expr, Expr)> {
        let rank = |ty: &Type| match ty.unqualified() {
            Type::Float(kind) => Some(*kind),
            _ => None,
        };
        for side in [&a, &b] {
            if !matches!(side.ty.unqualified(), Type::Int(_) | Type::Float(_)) {
                return Err(wrong(side.span, "this must be a number"));
            }
        }
        if let Some(kind) = rank(&a.ty).max(rank(&b.ty)) {
            let ty = Type::Float(kind);
            return Ok((self.convert(a, &ty), self.convert(b, &ty)));
        }
        let (a, b) = (self.promote(a)?, self.promote(b)?);
        let (Type::Int(x), Type::Int(y)) = (&a.ty, &b.ty) else {
            return Err(wrong(a.span, "this must be an integer"));
        };
        let ty = Type::Int(self.common(*x, *y));
        Ok((self.convert(a, &ty), self.convert(b, &ty)))
    }

    /// The common type of two promoted integers.
    pub fn common(&self, x: IntType, y: IntType) -> IntType {
        if x.signed == y.signed {
            return if x.kind >= y.kind { x } else { y };
        }
        let (signed, unsigned) = if x.signed { (x, y) } else { (y, x) };
        if unsigned.kind >= signed.kind {
            unsigned
        } else if signed.size(self.model) > unsigned.size(self.model) {
            signed
        } else {
            IntType {
                signed: false,
                ..signed
            }
        }
    }

    /// A value that can be tested against zero.
    pub fn scalar(&mut self, expr: &ast::Expr) -> Typed<Expr> {
        let value = self.rvalue_expr(expr)?;
        self.check_scalar(&value)?;
        Ok(value)
    }

    /// Refuses what cannot be tested against zero.
    pub fn check_scalar(&self, value: &Expr) -> Typed<()> {
        match value.ty.unqualified() {
            ty if ty.is_scalar() => Ok(()),
            _ => Err(wrong(value.span, "this must be a number or a pointer")),
        }
    }

    /// `(type)value`.
    pub fn cast(&mut self, value: Expr, to: &Type, span: Span) -> Typed<Expr> {
        let to = to.unqualified().clone();
        if to == Type::Void {
            return Ok(Expr::new(ExprKind::Cast(Box::new(value)), Type::Void, span));
        }
        if value.ty == to && bit_width(&value).is_some() {
            // The value of a bit-field may promote to a narrower type; what is cast does not.
            let kind = ExprKind::Cast(Box::new(value));
            return Ok(Expr { kind, ty: to, span });
        }
        if value.ty == to {
            return Ok(Expr { span, ..value });
        }
        if !to.is_scalar() {
            return Err(beyond(span, "cast to a struct, union or array"));
        }
        let converted = self.assign_convert(value, &to)?;
        Ok(Expr { span, ..converted })
    }
}

/// The width of the bit-field whose value this is.
fn bit_width(expr: &Expr) -> Option<u32> {
    match &expr.kind {
        ExprKind::Load(place) => match &place.kind {
            ExprKind::Member(_, field) => field.bits.map(|(_, width)| width),
            _ => None,
        },
        ExprKind::MemberOfValue(_, field) => field.bits.map(|(_, width)| width),
        ExprKind::Comma(_, last) => bit_width(last),
        _ => None,
    }
}
