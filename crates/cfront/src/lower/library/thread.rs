//! Threads: starting, joining, ending and comparing them.

use super::cancel::Wait;
use super::{Answer, Request, starts};
use crate::hir::{ExprKind, Type};
use crate::lower::function::FunctionLowering;
use crate::lower::reach::{is_null, peel_casts};
use crate::lower::types::Lowered;
use expr::{Sort, Term, VarId};
use xcfa::{ErrorKind, Label, Span};

/// Why a thread was not joined.
const EBUSY: i64 = 16;
const ETIMEDOUT: i64 = 110;

impl FunctionLowering<'_, '_> {
    /// `pthread_*` and `thrd_*` functions about threads.
    pub(super) fn thread_call(&mut self, request: &Request) -> Lowered<Answer> {
        let span = request.span;
        match request.name {
            "pthread_create" => self.create(request, 0, 3),
            "thrd_create" => self.create(request, 0, 2),
            "pthread_join" => self.join(request, self.ctx.xcfa.pointer_bits()),
            "thrd_join" => self.join(request, 32),
            "pthread_timedjoin_np" | "pthread_clockjoin_np" => self.join_or(request, ETIMEDOUT),
            "pthread_tryjoin_np" => self.join_or(request, EBUSY),
            "pthread_exit" | "thrd_exit" => {
                let value = request.arg(0)?;
                let width = self.ctx.xcfa.pointer_bits();
                let value = self.terms().resize(value, width, true);
                self.end_this_thread(request, value)?;
                Ok(Answer::Done)
            }
            // A request was acted on where the call begins.
            "pthread_testcancel" => Ok(Answer::Done),
            // `pthread_cleanup_push`: the handler is not run here, but where the thread ends itself.
            "__sigsetjmp_cancel" => self.answer(request, 0),
            "__pthread_register_cancel" => self.push_handler(request),
            "__pthread_unregister_cancel" => self.pop_handler(request),
            "__pthread_unwind_next" => {
                let never = self.terms().bool(false);
                self.assume(never, span);
                Ok(Answer::Done)
            }
            "pthread_detach" | "thrd_detach" => self.detach(request),
            "pthread_self" | "thrd_current" => {
                let handle = self.self_handle(span);
                self.answer_term(request, handle)
            }
            "pthread_equal" | "thrd_equal" => {
                let equal = {
                    let (a, b) = (request.arg(0)?, request.arg(1)?);
                    self.terms().eq(a, b)
                };
                let value = self.terms().bool_to_bv(equal, 32);
                self.answer_term(request, value)
            }
            _ => Ok(Answer::NotMine),
        }
    }

    pub(super) fn self_handle(&mut self, span: Span) -> Term {
        let var = self.ctx.xcfa.self_var;
        let handle = self.read_var(var);
        self.keep(handle, span)
    }

    /// Starts a thread and stores its handle, in one step: the C library has stored the handle
    /// before the new thread runs, and programs rely on it.
    fn create(&mut self, request: &Request, handle_at: usize, arg_at: usize) -> Lowered<Answer> {
        const EAGAIN: i64 = 11;
        const THRD_ERROR: i64 = 2;
        let code = match request.name {
            "thrd_create" => THRD_ERROR,
            _ => EAGAIN,
        };
        let refused = self.may_refuse(request)?;
        self.with_code(request, refused, code, |this| {
            this.start_one(request, handle_at, arg_at)
        })
    }

    fn start_one(&mut self, request: &Request, handle_at: usize, arg_at: usize) -> Lowered<()> {
        let span = request.span;
        self.no_fusing(span)?;
        let arg = request.arg(arg_at)?;
        let sort = self.ctx.word_sort();
        let handle = self.temp(sort);
        let store = self.store_handle(request, handle_at, handle)?;
        let has_attributes = request.name == "pthread_create" && {
            let attributes = request.arg(1)?;
            self.terms().as_const(attributes) != Some(0)
        };
        if has_attributes {
            self.read_attributes(request, 1)?;
        }
        let routine = starts(request.name).and_then(|at| request.exprs.get(at));
        match routine.map(|expr| &peel_casts(expr).kind) {
            Some(ExprKind::FunctionAddr(id)) => {
                let proc = self.ctx.thread_procs[id];
                let target = self.new_loc();
                let labels = vec![Label::Start { handle, proc, arg }, store];
                self.add_edge_to(target, labels, false, span);
                self.at = target;
            }
            _ => {
                let at = starts(request.name).unwrap_or(0);
                self.start_by_pointer(handle, request.arg(at)?, arg, &store, span);
            }
        }
        if has_attributes && self.ctx.uses("pthread_attr_setdetachstate") {
            let handle = self.read_var(handle);
            self.mark_detached(handle, span);
            let attributes = request.arg(1)?;
            self.look_at_start(handle, attributes, span)?;
        }
        Ok(())
    }

    /// Nothing happens that a program could see, except that it must not join the thread any more: where
    /// it may do so all the same, the passes find out ([`xcfa::DETACHED`]). Whether the thread was
    /// detached before is not kept.
    fn detach(&mut self, request: &Request) -> Lowered<Answer> {
        let thread = request.arg(0)?;
        self.mark_detached(thread, request.span);
        if !request.wanted {
            return self.answer(request, 0);
        }
        self.inexact_error(request)
    }

    fn mark_detached(&mut self, thread: Term, span: Span) {
        let bits = self.ctx.xcfa.pointer_bits();
        let thread = self.terms().resize(thread, bits, false);
        let sort = self.ctx.word_sort();
        let var = self.temp(sort);
        self.ctx.xcfa[var].name = xcfa::DETACHED.to_string();
        self.assign(var, thread, span);
    }

    /// One guarded edge for each possible function; any other pointer is an error or ends the run.
    fn start_by_pointer(
        &mut self,
        handle: VarId,
        pointer: Term,
        arg: Term,
        store: &Label,
        span: Span,
    ) {
        let end = self.new_loc();
        let mut any = false;
        let mut invalid = self.terms().bool(true);
        for (id, object) in self.ctx.function_objects.clone() {
            let address = self.ctx.base(object);
            let is_this = self.terms().eq(pointer, address);
            let is_other = self.terms().not(is_this);
            invalid = self.terms().and(invalid, is_other);
            let Some(&proc) = self.ctx.thread_procs.get(&id) else {
                continue;
            };
            if self.terms().as_const(is_this) == Some(0) {
                continue;
            }
            let start = Label::Start { handle, proc, arg };
            let labels = vec![Label::Assume(is_this), start, store.clone()];
            self.add_edge_to(end, labels, false, span);
            any = true;
        }
        if self.ctx.options.call_checks {
            let error = self.error_loc(ErrorKind::InvalidDeref);
            self.add_edge_to(error, vec![Label::Assume(invalid)], false, span);
        } else if !any {
            let never = self.terms().bool(false);
            self.add_edge_to(end, vec![Label::Assume(never)], false, span);
        }
        self.at = end;
    }

    fn store_handle(&mut self, request: &Request, at: usize, handle: VarId) -> Lowered<Label> {
        let addr = request.arg(at)?;
        let mut value = self.read_var(handle);
        if let Some(expr) = request.exprs.get(at)
            && let Type::Pointer(pointee) = peel_casts(expr).ty.unqualified()
            && let Some(sort) = self.types().sort_of(pointee)
        {
            value = crate::lower::arith::force_sort(self.terms(), value, sort);
        }
        Ok(Label::Store { addr, value })
    }

    /// Waits for a thread, or gives up at any moment: even one whose last step is done may still be on its way out.
    fn join_or(&mut self, request: &Request, error: i64) -> Lowered<Answer> {
        let span = request.span;
        let (result, end) = (self.temp(Sort::Bv(32)), self.new_loc());
        let late = Label::Assign {
            var: result,
            value: self.int(error),
        };
        self.add_edge_to(end, vec![late], false, span);
        self.join(request, self.ctx.xcfa.pointer_bits())?;
        let zero = self.int(0);
        self.assign(result, zero, span);
        self.goto(end, span);
        self.at = end;
        let result = self.read_var(result);
        self.answer_term(request, result)
    }

    /// Waits for a thread, then stores what it returned.
    fn join(&mut self, request: &Request, width: u32) -> Lowered<Answer> {
        let span = request.span;
        self.no_fusing(span)?;
        let bits = self.ctx.xcfa.pointer_bits();
        let thread = request.arg(0)?;
        let thread = self.terms().resize(thread, bits, false);
        let target = request.arg(1)?;
        let expr = request.exprs.get(1);
        if request.name != "pthread_tryjoin_np" {
            self.may_be_cancelled(request, Wait::Elsewhere)?;
        }
        if expr.is_some_and(is_null) {
            self.emit(
                Label::Join {
                    thread,
                    result: None,
                },
                span,
            );
            return self.answer(request, 0);
        }
        let sort = self.ctx.word_sort();
        let result = self.temp(sort);
        self.emit(
            Label::Join {
                thread,
                result: Some(result),
            },
            span,
        );
        let value = self.read_var(result);
        let value = self.terms().resize(value, width, false);
        let end = self.new_loc();
        if !self.is_surely_not_null(expr) {
            let there = self.new_loc();
            let cond = self.terms().is_nonzero(target);
            self.branch_on(cond, there, end, span);
            self.at = there;
        }
        self.emit(
            Label::Store {
                addr: target,
                value,
            },
            span,
        );
        self.goto(end, span);
        self.at = end;
        self.answer(request, 0)
    }
}
