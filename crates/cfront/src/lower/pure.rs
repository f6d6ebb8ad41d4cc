//! Which expressions are plain terms over locals and constants.
//!
//! A pure expression emits no label at all, so it may be in a branch of `?:` or behind `&&`
//! without control flow.

use super::checks::can_overflow;
use super::function::FunctionLowering;
use super::program::Storage;
use super::reach::any_expr;
use crate::hir::{BinaryOp, Expr, ExprKind, Type, UnaryOp};

impl FunctionLowering<'_, '_> {
    /// Does evaluating `expr` emit nothing?
    pub fn is_pure(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::FunctionAddr(_) => true,
            ExprKind::Load(place) => self.is_private_scalar(place),
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self.is_pure_address(place),
            ExprKind::Cast(inner) => self.is_pure(inner) && expr.ty.is_scalar(),
            ExprKind::Unary(op, inner) => {
                let checked = *op == UnaryOp::Neg && self.reports_overflow(expr);
                !checked && self.is_pure(inner)
            }
            ExprKind::Binary(op, a, b) => {
                self.is_defined(*op, a, b, expr) && self.is_pure(a) && self.is_pure(b)
            }
            ExprKind::PointerAdd {
                pointer: a,
                index: b,
                ..
            } => self.is_pure(a) && self.is_pure(b),
            ExprKind::PointerDiff {
                left: a, right: b, ..
            }
            | ExprKind::LogicalAnd(a, b)
            | ExprKind::LogicalOr(a, b)
            | ExprKind::Elvis(a, b) => self.is_pure(a) && self.is_pure(b),
            ExprKind::Conditional(c, a, b) => {
                expr.ty.is_scalar() && [c, a, b].iter().all(|part| self.is_pure(part))
            }
            _ => false,
        }
    }

    fn reports_overflow(&self, expr: &Expr) -> bool {
        self.checks_overflow(expr.span) && can_overflow(&expr.ty)
    }

    /// Needs the operation no check?
    fn is_defined(&self, op: BinaryOp, a: &Expr, b: &Expr, expr: &Expr) -> bool {
        let reported = self.checks_overflow(expr.span) && can_overflow(&a.ty);
        let is_int = matches!(a.ty.unqualified(), Type::Int(_));
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => !reported,
            BinaryOp::Div | BinaryOp::Rem if is_int => {
                !reported && matches!(b.kind, ExprKind::Int(bits) if bits != 0)
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let width = self
                    .types()
                    .sort_of(&a.ty)
                    .map_or(0, |sort| u64::from(sort.width()));
                !(reported && op == BinaryOp::Shl)
                    && matches!(b.kind, ExprKind::Int(bits) if bits < width)
            }
            _ => true,
        }
    }

    fn is_private_scalar(&self, place: &Expr) -> bool {
        match place.kind {
            ExprKind::Local(id) => {
                matches!(self.locals[id.0 as usize], Some(Storage::Var(_)))
                    && !matches!(place.ty, Type::Atomic(_))
            }
            _ => false,
        }
    }

    fn is_pure_address(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Global(id) => {
                matches!(self.ctx.globals.get(id), Some(Storage::Static(_)))
            }
            ExprKind::Local(id) => matches!(self.locals[id.0 as usize], Some(Storage::Stack(_))),
            ExprKind::Deref(pointer) => self.is_pure(pointer),
            ExprKind::Member(record, _) => self.is_pure_address(record),
            _ => false,
        }
    }
}

/// May evaluating `expr` change a local variable of this frame?
pub(super) fn changes_locals(expr: &Expr) -> bool {
    any_expr(expr, |part| {
        matches!(
            part.kind,
            ExprKind::Assign(..)
                | ExprKind::CompoundAssign { .. }
                | ExprKind::PointerAssignAdd { .. }
                | ExprKind::IncDec { .. }
                | ExprKind::StmtExpr(..)
                | ExprKind::CompoundLiteral(..)
                | ExprKind::Builtin(..)
        )
    })
}
