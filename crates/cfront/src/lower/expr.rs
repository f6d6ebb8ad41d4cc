//! Expressions for their values and for their effects.
//!
//! Operands are evaluated from left to right. A value is a term over locals and constants; what
//! comes from shared memory has been read into a temporary by an edge of its own.

use super::arith;
use super::function::FunctionLowering;
use super::lvalue::Use;
use super::pure::changes_locals;
use super::types::{Lowered, is_record, is_signed};
use crate::Unsupported;
use crate::hir::{BinaryOp, Expr, ExprKind, Type, UnaryOp};
use expr::{Op, Sort, Term};
use xcfa::Span;

impl FunctionLowering<'_, '_> {
    /// The value of a scalar expression.
    pub fn value(&mut self, expr: &Expr) -> Lowered<Term> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::FunctionAddr(_) => {
                self.ctx.constant(expr)
            }
            ExprKind::Load(place) => {
                let place = self.place(place)?;
                self.read(place, span)
            }
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => {
                self.address_for(place, Use::Address)
            }
            ExprKind::Unary(op, inner) => self.unary(*op, inner, expr),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span),
            ExprKind::PointerAdd {
                pointer,
                index,
                negative,
                scale,
            } => {
                let [base, step] = self.two(pointer, index)?;
                let signed = is_signed(&index.ty);
                Ok(arith::pointer_add(
                    self.terms(),
                    base,
                    step,
                    signed,
                    *negative,
                    *scale,
                ))
            }
            ExprKind::PointerDiff { left, right, scale } => {
                self.pointer_difference(left, right, *scale, expr)
            }
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) => self.logical(expr),
            ExprKind::Conditional(c, a, b) => self.conditional(c, a, b, expr),
            ExprKind::Elvis(a, b) => self.elvis(a, b, expr),
            ExprKind::Cast(inner) => self.cast(inner, expr),
            ExprKind::Comma(a, b) => {
                self.effects(a)?;
                self.value(b)
            }
            ExprKind::Assign(..)
            | ExprKind::CompoundAssign { .. }
            | ExprKind::PointerAssignAdd { .. }
            | ExprKind::IncDec { .. } => self.assignment(expr, true),
            ExprKind::Call { callee, args } => {
                let value = self.call(callee, args, expr, true)?;
                value.ok_or_else(|| Unsupported::at(span, "the value of a call that has none"))
            }
            ExprKind::Builtin(builtin, args) => {
                let value = self.builtin(*builtin, args, expr)?;
                value.ok_or_else(|| Unsupported::at(span, "the value of a built-in without one"))
            }
            ExprKind::StmtExpr(body, value) => self.statement_expr(body, value.as_deref(), span),
            ExprKind::MemberOfValue(record, field) => {
                let base = self.record_value(record)?;
                let place = self.member(base, &record.ty, field, expr)?;
                self.read(place, span)
            }
            ExprKind::Global(_)
            | ExprKind::Local(_)
            | ExprKind::Deref(_)
            | ExprKind::Member(..)
            | ExprKind::CompoundLiteral(..) => {
                let place = self.place(expr)?;
                self.read(place, span)
            }
        }
    }

    /// Evaluates an expression whose value is not needed.
    pub fn effects(&mut self, expr: &Expr) -> Lowered<()> {
        match &expr.kind {
            ExprKind::Cast(inner) if !expr.ty.is_scalar() || inner.ty.is_scalar() => {
                self.effects(inner)
            }
            ExprKind::Comma(a, b) => {
                self.effects(a)?;
                self.effects(b)
            }
            ExprKind::Conditional(c, a, b) => self.conditional_effects(c, a, b, expr.span),
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) if !self.is_pure(expr) => {
                let end = self.new_loc();
                self.branch(expr, end, end)?;
                self.at = end;
                Ok(())
            }
            ExprKind::Call { callee, args } => self.call(callee, args, expr, false).map(drop),
            ExprKind::Builtin(builtin, args) => self.builtin(*builtin, args, expr).map(drop),
            ExprKind::StmtExpr(body, value) => {
                self.in_statement_expr(body, value.as_deref(), |this, value| {
                    value.map_or(Ok(()), |value| this.effects(value))
                })
            }
            ExprKind::Assign(..)
            | ExprKind::CompoundAssign { .. }
            | ExprKind::PointerAssignAdd { .. }
            | ExprKind::IncDec { .. } => match is_record(&expr.ty) {
                true => self.record_value(expr).map(drop),
                false => self.assignment(expr, false).map(drop),
            },
            _ if is_record(&expr.ty) => self.record_value(expr).map(drop),
            _ if expr.kind.is_lvalue() => self.place(expr).map(drop),
            _ => self.value(expr).map(drop),
        }
    }

    /// The values of operands, from left to right; one that a later operand could change is
    /// copied first. A record is represented by its address.
    pub fn operands(&mut self, exprs: &[&Expr]) -> Lowered<Vec<Term>> {
        let mut values = Vec::with_capacity(exprs.len());
        for (at, expr) in exprs.iter().enumerate() {
            let later_changes = exprs[at + 1..].iter().any(|later| changes_locals(later));
            let value = match is_record(&expr.ty) {
                true => {
                    let address = self.record_value(expr)?;
                    let later_effects = exprs[at + 1..].iter().any(|later| !self.is_pure(later));
                    match later_effects {
                        true => self.record_copy(address, &expr.ty, expr.span)?,
                        false => address,
                    }
                }
                false => self.value(expr)?,
            };
            let value = match later_changes && self.is_volatile(value) {
                true => self.keep(value, expr.span),
                false => value,
            };
            values.push(value);
        }
        Ok(values)
    }

    /// Two operands.
    pub fn two(&mut self, a: &Expr, b: &Expr) -> Lowered<[Term; 2]> {
        let values = self.operands(&[a, b])?;
        Ok([values[0], values[1]])
    }

    fn unary(&mut self, op: UnaryOp, inner: &Expr, expr: &Expr) -> Lowered<Term> {
        let value = match op {
            UnaryOp::Not => self.sign(inner)?,
            _ => self.value(inner)?,
        };
        if op == UnaryOp::Neg
            && let Some(overflows) = self.negation_overflow(value, &expr.ty, expr.span)
        {
            self.fail_if(overflows, self.overflow_kind(expr.span), expr.span)?;
        }
        Ok(arith::unary(self.terms(), op, value))
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> Lowered<Term> {
        let [x, y] = self.compared(op, a, b)?;
        self.check_binary(op, x, y, &a.ty, span)?;
        arith::binary(self.terms(), op, x, y, &a.ty, span)
    }

    fn pointer_difference(
        &mut self,
        left: &Expr,
        right: &Expr,
        scale: u64,
        expr: &Expr,
    ) -> Lowered<Term> {
        if scale == 0 {
            return Err(Unsupported::at(
                expr.span,
                "difference of pointers to empty objects",
            ));
        }
        let [a, b] = self.two(left, right)?;
        let scale = self.ctx.word(scale);
        let bytes = self.terms().binary(Op::Sub, a, b);
        Ok(self.terms().binary(Op::Sdiv, bytes, scale))
    }

    fn cast(&mut self, inner: &Expr, expr: &Expr) -> Lowered<Term> {
        if let ExprKind::Call { callee, args } = &inner.kind
            && let (Type::Pointer(_), Type::Pointer(pointee)) = (&inner.ty, &expr.ty)
        {
            // The cast tells what the memory is for.
            let value = self.call_for(callee, args, inner, true, Some(pointee))?;
            return value.ok_or_else(|| Unsupported::at(inner.span, "the value of a void call"));
        }
        let value = self.value(inner)?;
        let types = self.types();
        arith::convert(types, self.terms(), value, &inner.ty, &expr.ty, expr.span)
    }

    /// The truth of a scalar expression.
    pub fn truth(&mut self, expr: &Expr) -> Lowered<Term> {
        let value = self.sign(expr)?;
        Ok(self.terms().is_nonzero(value))
    }

    /// Constants of C's `int`.
    pub fn int(&mut self, value: i64) -> Term {
        self.terms().constant(Sort::Bv(32), value as u64)
    }
}
