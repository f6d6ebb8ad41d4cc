//! Results of which only the sign matters, or whether they are zero.
//!
//! `strcmp` returns any number of the right sign and `isdigit` any number that is not zero. Where a
//! program only compares the result with zero the number cannot matter, and none is chosen: the
//! model's function of the same name with `plain` in it is called instead.

use super::function::FunctionLowering;
use super::types::Lowered;
use crate::hir::{BinaryOp, Expr, ExprKind, FuncId, Type};
use expr::Term;
use xcfa::{Callee, Label};

impl FunctionLowering<'_, '_> {
    /// A value that is only compared with zero.
    pub fn sign(&mut self, expr: &Expr) -> Lowered<Term> {
        let Some((plain, args)) = self.plain_call(expr) else {
            return self.value(expr);
        };
        self.no_fusing(expr.span)?;
        let exprs: Vec<&Expr> = args.iter().collect();
        let values = self.operands(&exprs)?;
        let types: Vec<Type> = args.iter().map(|arg| arg.ty.clone()).collect();
        let proc = self.model_proc(plain)?;
        let args = self.fit_args(proc, values, &types, expr.span);
        let sort = self.types().sort(&expr.ty, expr.span)?;
        let var = self.temp(sort);
        let (callee, result) = (Callee::Direct(proc), Some(var));
        let call = Label::call(callee, args, result);
        self.emit(call, expr.span);
        Ok(self.read_var(var))
    }

    /// Two operands of a comparison.
    pub fn compared(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Lowered<[Term; 2]> {
        let is_zero = |expr: &Expr| matches!(expr.kind, ExprKind::Int(0));
        match op {
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => match (is_zero(a), is_zero(b)) {
                (false, true) => Ok([self.sign(a)?, self.value(b)?]),
                (true, false) => Ok([self.value(a)?, self.sign(b)?]),
                _ => self.two(a, b),
            },
            _ => self.two(a, b),
        }
    }

    /// The plain function behind a call of the library, with its arguments.
    fn plain_call<'e>(&self, expr: &'e Expr) -> Option<(FuncId, &'e [Expr])> {
        let ExprKind::Call { callee, args } = &expr.kind else {
            return None;
        };
        let ExprKind::FunctionAddr(id) = callee.kind else {
            return None;
        };
        let function = self.ctx.function(id);
        let is_model = function.body.is_some() && self.ctx.is_library(function.span);
        let plain = is_model.then(|| format!("__mazurka_plain_{}", function.name))?;
        Some((self.model(&plain)?, args))
    }
}
