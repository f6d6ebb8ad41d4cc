//! What makes arithmetic undefined, emitted before the operation.
//!
//! Undefined division and shifts end the run. Signed overflow is an error location when the
//! property asks for it, and wraps otherwise. Where a text must have a value (`strict`), all of this is
//! an error that is reached.

use super::function::FunctionLowering;
use super::types::{Lowered, is_signed};
use crate::hir::{BinaryOp, IntKind, Type};
use expr::{Op, Term};
use xcfa::{ErrorKind, Span};

/// Does signed arithmetic of this type count for `overflow`?
pub(super) fn can_overflow(ty: &Type) -> bool {
    is_signed(ty) && matches!(ty.unqualified(), Type::Int(int) if int.kind >= IntKind::Int)
}

impl FunctionLowering<'_, '_> {
    /// Everything that has to hold before `a op b`, where `a` has type `ty`.
    pub fn check_binary(
        &mut self,
        op: BinaryOp,
        a: Term,
        b: Term,
        ty: &Type,
        span: Span,
    ) -> Lowered<()> {
        if !matches!(ty.unqualified(), Type::Int(_)) {
            return Ok(());
        }
        match op {
            BinaryOp::Div | BinaryOp::Rem => {
                let nonzero = self.terms().is_nonzero(b);
                self.require(nonzero, span)?;
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let inside = self.shift_in_range(a, b);
                self.require(inside, span)?;
            }
            _ => {}
        }
        if let Some(overflows) = self.binary_overflow(op, a, b, ty, span) {
            return self.fail_if(overflows, self.overflow_kind(span), span);
        }
        match self.quotient_overflow(op, a, b, ty) {
            Some(overflows) => {
                let fine = self.terms().not(overflows);
                self.require(fine, span)
            }
            None => Ok(()),
        }
    }

    /// When a quotient does not fit, which traps whether or not that is to be reported.
    pub fn quotient_overflow(&mut self, op: BinaryOp, a: Term, b: Term, ty: &Type) -> Option<Term> {
        if !matches!(op, BinaryOp::Div | BinaryOp::Rem) || !can_overflow(ty) {
            return None;
        }
        let lowest = self.is_lowest(a);
        let sort = self.terms().sort(b);
        let minus_one = self.terms().constant(sort, u64::MAX);
        let by_minus_one = self.terms().eq(b, minus_one);
        Some(self.terms().and(lowest, by_minus_one))
    }

    /// What an overflow counts as.
    pub fn overflow_kind(&self, span: Span) -> ErrorKind {
        match self.is_strict(span) {
            true => ErrorKind::Reached,
            false => ErrorKind::Overflow,
        }
    }

    /// Ends the run where the condition does not hold, or reports it.
    fn require(&mut self, cond: Term, span: Span) -> Lowered<()> {
        if !self.is_strict(span) {
            self.assume(cond, span);
            return Ok(());
        }
        let otherwise = self.terms().not(cond);
        self.fail_if(otherwise, ErrorKind::Reached, span)
    }

    fn shift_in_range(&mut self, a: Term, b: Term) -> Term {
        let width = u64::from(self.terms().width(a));
        let sort = self.terms().sort(b);
        if width > sort.mask() {
            return self.terms().bool(true);
        }
        let width = self.terms().constant(sort, width);
        self.terms().binary(Op::Ult, b, width)
    }

    /// When `a op b` overflows, if that is to be reported.
    pub fn binary_overflow(
        &mut self,
        op: BinaryOp,
        a: Term,
        b: Term,
        ty: &Type,
        span: Span,
    ) -> Option<Term> {
        // A quotient in the library's model is one of the caller's numbers.
        let is_quotient = matches!(op, BinaryOp::Div | BinaryOp::Rem);
        let checked = is_quotient && self.ctx.options.overflow_checks;
        if !(checked || self.checks_overflow(span)) || !can_overflow(ty) {
            return None;
        }
        Some(match op {
            BinaryOp::Add => self.terms().binary(Op::SaddOverflow, a, b),
            BinaryOp::Sub => self.terms().binary(Op::SsubOverflow, a, b),
            BinaryOp::Mul => self.terms().binary(Op::SmulOverflow, a, b),
            BinaryOp::Div | BinaryOp::Rem => return self.quotient_overflow(op, a, b, ty),
            BinaryOp::Shl => self.shift_overflow(a, b),
            _ => return None,
        })
    }

    /// C11 6.5.7: a negative value, or a product with a power of two that does not fit.
    fn shift_overflow(&mut self, a: Term, b: Term) -> Term {
        let sort = self.terms().sort(a);
        let terms = self.terms();
        let amount = terms.resize(b, sort.width(), false);
        let highest = terms.constant(sort, sort.mask() >> 1);
        let limit = terms.binary(Op::Lshr, highest, amount);
        // Read without sign, a negative value is above every limit.
        terms.binary(Op::Ult, limit, a)
    }

    /// `-a` overflows, if that is to be reported.
    pub fn negation_overflow(&mut self, a: Term, ty: &Type, span: Span) -> Option<Term> {
        (self.checks_overflow(span) && can_overflow(ty)).then(|| self.is_lowest(a))
    }

    fn is_lowest(&mut self, a: Term) -> Term {
        let sort = self.terms().sort(a);
        let lowest = self.terms().constant(sort, 1 << (sort.width() - 1));
        self.terms().eq(a, lowest)
    }
}
