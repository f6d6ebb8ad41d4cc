//! Conditions: `&&`, `||`, `?:` and branches.
//!
//! Pure operands make terms; everything else becomes control flow.

use super::function::FunctionLowering;
use super::types::{Lowered, is_record};
use crate::hir::{Expr, ExprKind, IntKind, Type, UnaryOp};
use expr::{Sort, Term};
use xcfa::{LocId, Span};

impl FunctionLowering<'_, '_> {
    /// Goes to `yes` if the expression is not zero, to `no` otherwise.
    pub fn branch(&mut self, expr: &Expr, yes: LocId, no: LocId) -> Lowered<()> {
        self.no_fusing(expr.span)?;
        match &expr.kind {
            ExprKind::LogicalAnd(a, b) if !self.is_pure(b) => {
                let middle = self.new_loc();
                self.branch(a, middle, no)?;
                self.at = middle;
                self.branch(b, yes, no)
            }
            ExprKind::LogicalOr(a, b) if !self.is_pure(b) => {
                let middle = self.new_loc();
                self.branch(a, yes, middle)?;
                self.at = middle;
                self.branch(b, yes, no)
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.branch(inner, no, yes),
            ExprKind::Cast(inner) if self.keeps_truth(inner, &expr.ty) => {
                self.branch(inner, yes, no)
            }
            _ => {
                let cond = self.truth(expr)?;
                self.branch_on(cond, yes, no, expr.span);
                Ok(())
            }
        }
    }

    /// Goes to `yes` or `no` by a term.
    pub fn branch_on(&mut self, cond: Term, yes: LocId, no: LocId, span: Span) {
        self.goto_if(cond, yes, span);
        let otherwise = self.terms().not(cond);
        self.goto_if(otherwise, no, span);
    }

    /// Is a value zero after the conversion exactly if it was before?
    fn keeps_truth(&self, inner: &Expr, to: &Type) -> bool {
        let (Type::Int(from), Type::Int(to)) = (inner.ty.unqualified(), to.unqualified()) else {
            return false;
        };
        let model = self.types().model;
        let is_truth = matches!(
            inner.kind,
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) | ExprKind::Unary(UnaryOp::Not, _)
        );
        is_truth || to.kind == IntKind::Bool || to.size(model) >= from.size(model)
    }

    /// `a && b` or `a || b` as an `int`.
    pub fn logical(&mut self, expr: &Expr) -> Lowered<Term> {
        if let ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) = &expr.kind
            && self.is_pure(b)
        {
            let (x, y) = (self.truth(a)?, self.truth(b)?);
            let both = matches!(expr.kind, ExprKind::LogicalAnd(..));
            let terms = self.terms();
            let truth = if both {
                terms.and(x, y)
            } else {
                terms.or(x, y)
            };
            return Ok(terms.bool_to_bv(truth, 32));
        }
        let result = self.temp(Sort::Bv(32));
        let [yes, no, end] = [self.new_loc(), self.new_loc(), self.new_loc()];
        self.branch(expr, yes, no)?;
        for (from, value) in [(yes, 1), (no, 0)] {
            self.at = from;
            let value = self.int(value);
            self.assign(result, value, expr.span);
            self.goto(end, expr.span);
        }
        self.at = end;
        Ok(self.read_var(result))
    }

    /// `c ? a : b` with a scalar value.
    pub fn conditional(&mut self, c: &Expr, a: &Expr, b: &Expr, expr: &Expr) -> Lowered<Term> {
        if self.is_pure(a) && self.is_pure(b) {
            let cond = self.truth(c)?;
            let (x, y) = (self.value(a)?, self.value(b)?);
            return Ok(self.terms().ite(cond, x, y));
        }
        let sort = match is_record(&expr.ty) {
            true => self.ctx.word_sort(),
            false => self.types().sort(&expr.ty, expr.span)?,
        };
        let result = self.typed_temp(sort, &expr.ty);
        self.ctx.xcfa[result].pointer |= is_record(&expr.ty);
        let [yes, no, end] = [self.new_loc(), self.new_loc(), self.new_loc()];
        self.branch(c, yes, no)?;
        for (from, branch) in [(yes, a), (no, b)] {
            self.at = from;
            let value = self.operands(&[branch])?[0];
            self.assign(result, value, branch.span);
            self.goto(end, branch.span);
        }
        self.at = end;
        Ok(self.read_var(result))
    }

    /// `c ? a : b` for its effects.
    pub fn conditional_effects(&mut self, c: &Expr, a: &Expr, b: &Expr, span: Span) -> Lowered<()> {
        let [yes, no, end] = [self.new_loc(), self.new_loc(), self.new_loc()];
        self.branch(c, yes, no)?;
        for (from, branch) in [(yes, a), (no, b)] {
            self.at = from;
            self.effects(branch)?;
            self.goto(end, span);
        }
        self.at = end;
        Ok(())
    }

    /// `a ?: b`.
    pub fn elvis(&mut self, a: &Expr, b: &Expr, expr: &Expr) -> Lowered<Term> {
        let first = self.value(a)?;
        let cond = self.terms().is_nonzero(first);
        if self.is_pure(b) {
            let second = self.value(b)?;
            return Ok(self.terms().ite(cond, first, second));
        }
        self.no_fusing(expr.span)?;
        let sort = self.terms().sort(first);
        let result = self.typed_temp(sort, &expr.ty);
        let [no, end] = [self.new_loc(), self.new_loc()];
        self.assign(result, first, a.span);
        let kept = self.read_var(result);
        let cond = self.terms().is_nonzero(kept);
        self.branch_on(cond, end, no, expr.span);
        self.at = no;
        let second = self.value(b)?;
        self.assign(result, second, b.span);
        self.goto(end, b.span);
        self.at = end;
        Ok(self.read_var(result))
    }
}
