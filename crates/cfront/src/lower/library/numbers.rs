//! Functions of one number.

use super::{Answer, Request};
use crate::lower::function::FunctionLowering;
use crate::lower::types::Lowered;
use expr::Op;

impl FunctionLowering<'_, '_> {
    /// Absolute values and the like.
    pub(super) fn number_call(&mut self, request: &Request) -> Lowered<Answer> {
        match request.name {
            "abs" | "labs" | "llabs" | "imaxabs" | "__builtin_abs" | "__builtin_labs" => {
                self.absolute(request)
            }
            "ffs" | "ffsl" | "ffsll" => {
                let value = request.arg(0)?;
                let width = self.terms().width(value);
                let first = self.first_bit(value, 0..width, |bit| bit + 1);
                self.answer_term(request, first)
            }
            _ => Ok(Answer::NotMine),
        }
    }

    fn absolute(&mut self, request: &Request) -> Lowered<Answer> {
        let value = request.arg(0)?;
        if let Some(overflows) = self.negation_overflow(value, request.result, request.span) {
            self.fail_if(overflows, xcfa::ErrorKind::Overflow, request.span)?;
        }
        let sort = self.terms().sort(value);
        let zero = self.terms().constant(sort, 0);
        let negative = self.terms().binary(Op::Slt, value, zero);
        let negated = self.terms().unary(Op::Neg, value);
        let result = self.terms().ite(negative, negated, value);
        self.answer_term(request, result)
    }
}
