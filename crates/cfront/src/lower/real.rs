//! Built-ins that tell of which class a floating value is: `isnan`, `fpclassify` and their like.

use super::function::FunctionLowering;
use super::types::Lowered;
use crate::Unsupported;
use crate::hir::{Expr, RealTest};
use expr::{FloatKind, Op, Sort, Term};
use xcfa::Span;

impl FunctionLowering<'_, '_> {
    /// The answer, an `int`.
    pub(super) fn real_builtin(
        &mut self,
        test: RealTest,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Term> {
        let values = self.operands(&args.iter().collect::<Vec<_>>())?;
        let Some((&real, classes)) = values.split_last() else {
            return Err(Unsupported::at(span, "a built-in without an argument"));
        };
        let Sort::Float(kind) = self.terms().sort(real) else {
            let what = "a question about a floating value of something else";
            return Err(Unsupported::at(span, what));
        };
        let truth = match test {
            RealTest::Class => return self.class_of(real, kind, classes, span),
            RealTest::Infinite => {
                let [above, below] = [f64::INFINITY, f64::NEG_INFINITY]
                    .map(|bound| self.is_equal_to(real, kind, bound));
                let [none, plus, minus] = [0, 1, -1].map(|value| self.int(value));
                let otherwise = self.terms().ite(below, minus, none);
                return Ok(self.terms().ite(above, plus, otherwise));
            }
            RealTest::NotANumber => self.is_no_number(real),
            RealTest::Finite => self.is_finite(real, kind),
            RealTest::Normal => {
                let (finite, tiny) = (self.is_finite(real, kind), self.is_tiny(real, kind));
                let large = self.terms().not(tiny);
                self.terms().and(finite, large)
            }
            RealTest::Negative => {
                let bits = self.terms().unary(Op::FloatToBits, real);
                let top = Sort::Float(kind).width() - 1;
                let sign = self.terms().extract(bits, top, top);
                self.terms().is_nonzero(sign)
            }
        };
        Ok(self.terms().bool_to_bv(truth, 32))
    }

    /// The number that goes with the class of a value.
    fn class_of(
        &mut self,
        real: Term,
        kind: FloatKind,
        classes: &[Term],
        span: Span,
    ) -> Lowered<Term> {
        let &[no_number, infinite, normal, small, zero] = classes else {
            return Err(Unsupported::at(
                span,
                "a question about classes of this form",
            ));
        };
        let is_no_number = self.is_no_number(real);
        let is_finite = self.is_finite(real, kind);
        let is_tiny = self.is_tiny(real, kind);
        let is_zero = self.is_equal_to(real, kind, 0.0);
        let terms = self.terms();
        let of_tiny = terms.ite(is_zero, zero, small);
        let of_finite = terms.ite(is_tiny, of_tiny, normal);
        let of_number = terms.ite(is_finite, of_finite, infinite);
        Ok(terms.ite(is_no_number, no_number, of_number))
    }

    fn is_equal_to(&mut self, real: Term, kind: FloatKind, value: f64) -> Term {
        let value = self.terms().float(kind, value);
        self.terms().binary(Op::FloatEq, real, value)
    }

    fn is_no_number(&mut self, real: Term) -> Term {
        let itself = self.terms().binary(Op::FloatEq, real, real);
        self.terms().not(itself)
    }

    fn is_finite(&mut self, real: Term, kind: FloatKind) -> Term {
        self.is_within(real, kind, f64::INFINITY)
    }

    /// Is it zero, or smaller than every number with all its digits?
    fn is_tiny(&mut self, real: Term, kind: FloatKind) -> Term {
        let least = match kind {
            FloatKind::F32 => f64::from(f32::MIN_POSITIVE),
            FloatKind::F64 => f64::MIN_POSITIVE,
        };
        self.is_within(real, kind, least)
    }

    /// Is its magnitude below a bound?
    fn is_within(&mut self, real: Term, kind: FloatKind, bound: f64) -> Term {
        let terms = self.terms();
        let (low, high) = (terms.float(kind, -bound), terms.float(kind, bound));
        let (above, below) = (
            terms.binary(Op::FloatLt, low, real),
            terms.binary(Op::FloatLt, real, high),
        );
        terms.and(above, below)
    }
}
