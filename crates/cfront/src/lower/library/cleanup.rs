//! `pthread_cleanup_push` and `pthread_cleanup_pop`: macros, in which glibc keeps the handler and its argument in
//! variables behind the memory that it sets aside. `lib/cleanup.c` runs them where a thread ends itself.

use super::{Answer, Request};
use crate::hir::{Expr, ExprKind, LocalId};
use crate::lower::function::FunctionLowering;
use crate::lower::reach::peel_casts;
use crate::lower::types::Lowered;

/// The variables of the macro, in the order of their declarations.
const VARIABLES: [&str; 3] = ["__cancel_buf", "__cancel_routine", "__cancel_arg"];

impl FunctionLowering<'_, '_> {
    /// Can a thread end itself while it has handlers? Otherwise they need not be kept.
    pub(super) fn keeps_handlers(&self) -> bool {
        let ends = ["pthread_exit", "thrd_exit", "pthread_cancel"]
            .iter()
            .any(|name| self.ctx.uses(name));
        ends && self.ctx.uses("__pthread_register_cancel")
    }

    pub(super) fn push_handler(&mut self, request: &Request) -> Lowered<Answer> {
        if !self.keeps_handlers() {
            return Ok(Answer::Done);
        }
        let buffer = request.exprs.first().and_then(local_behind);
        let handler = buffer.and_then(|buffer| self.handler_of(buffer, request));
        let Some(handler) = handler else {
            return Err(request.refuse("a handler that is not pushed by the macro of the header"));
        };
        let mut args = vec![request.arg(0)?];
        args.extend(self.operands(&[&handler[0], &handler[1]])?);
        self.run_model(request, "__mazurka_push_cleanup", args)?;
        Ok(Answer::Done)
    }

    pub(super) fn pop_handler(&mut self, request: &Request) -> Lowered<Answer> {
        if self.keeps_handlers() {
            let args = vec![request.arg(0)?];
            self.run_model(request, "__mazurka_pop_cleanup", args)?;
        }
        Ok(Answer::Done)
    }

    /// What reads the handler and its argument.
    fn handler_of(&self, buffer: LocalId, request: &Request) -> Option<[Expr; 2]> {
        let locals = &self.function?.locals;
        let named = |at: usize| {
            let local = locals.get(buffer.0 as usize + at)?;
            (local.name == VARIABLES[at]).then_some(local)
        };
        named(0)?;
        let read = |at: usize| {
            let local = named(at)?;
            let expr = |kind| Expr {
                kind,
                ty: local.ty.clone(),
                span: request.span,
            };
            let place = expr(ExprKind::Local(LocalId(buffer.0 + at as u32)));
            Some(expr(ExprKind::Load(Box::new(place))))
        };
        Some([read(1)?, read(2)?])
    }
}

/// The variable whose address this is.
fn local_behind(address: &Expr) -> Option<LocalId> {
    match &peel_casts(address).kind {
        ExprKind::AddrOf(place) => match place.kind {
            ExprKind::Local(id) => Some(id),
            _ => None,
        },
        _ => None,
    }
}
