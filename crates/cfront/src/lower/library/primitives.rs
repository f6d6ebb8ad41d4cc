//! The primitives of library code in C: `__mazurka_*`.
//!
//! Between `__mazurka_atomic_begin()` and `__mazurka_atomic_end()` labels collect on one atomic
//! edge; only straight code is allowed there. The edge as a whole waits until it can happen.

use super::{Answer, Request, kernel};
use crate::functions;
use crate::lower::Environment;
use crate::lower::function::FunctionLowering;
use crate::lower::types::Lowered;
use expr::Term;
use xcfa::{HavocOrigin, Inexact, Label, Leaving, LockMode};

impl FunctionLowering<'_, '_> {
    /// The primitives, which only library code may use.
    pub(super) fn primitive_call(&mut self, request: &Request) -> Lowered<Answer> {
        let Some(name) = request.name.strip_prefix("__mazurka_") else {
            return Ok(Answer::NotMine);
        };
        if !self.ctx.is_library(request.span) {
            return Err(request.refuse("a name that only the library's model may use"));
        }
        match name {
            "atomic_begin" => self.begin_fusing(request),
            "atomic_end" => self.end_fusing(request),
            "typical" => self.typical(request),
            "assuming" => self.assuming(request).map(|()| Answer::Done),
            "misuse" => self.misuse(request).map(|()| Answer::Done),
            "beyond" => self.beyond(request).map(|()| Answer::Done),
            // A mutex is plain unless `lib/mutex.c` is there.
            "mutex_type" => self.answer(request, 0),
            "checks_memory" => {
                let checks = self.ctx.options.bounds_checks;
                self.answer(request, i64::from(checks))
            }
            "call_of_futex" => {
                let number = kernel::FUTEX.of(self.ctx.program.data_model);
                self.answer(request, number)
            }
            "looks_at_errno" => {
                let looks = kernel::looks_at_errno(self.ctx.program, &self.ctx.reach);
                self.answer(request, i64::from(looks))
            }
            "watches_addresses" => {
                let watches = kernel::watches_addresses(self.ctx.program, &self.ctx.reach);
                self.answer(request, i64::from(watches))
            }
            "reads" => self.answer(request, i64::from(self.ctx.options.reads)),
            "formats_store" => {
                let store = self.formats_store();
                self.answer(request, i64::from(store))
            }
            "formats_known" => self.refuse_odd_formats().map(|()| Answer::Done),
            "resized" | "hidden" => self.heap_call(request),
            "free_hidden" => {
                self.emit(Label::Free(request.arg(0)?), request.span);
                Ok(Answer::Done)
            }
            "self" => {
                let handle = self.self_handle(request.span);
                self.answer_term(request, handle)
            }
            "cancels" => {
                let cancels = self.ctx.cancels();
                self.answer(request, i64::from(cancels))
            }
            "is_cancelled" => self.is_cancelled(request),
            "end_cancelled" if self.ctx.cancels() => {
                self.end_cancelled(request)?;
                Ok(Answer::Done)
            }
            // Nobody is cancelled.
            "end_cancelled" => Ok(Answer::Done),
            "thread_exit" => {
                self.finish(Label::ThreadExit(request.arg(0)?), request.span)?;
                Ok(Answer::Done)
            }
            // No mutex is robust unless `lib/robust.c` is there.
            "locked_robust" | "tried_robust" => self.answer(request, 0),
            "unlock_robust" => Ok(Answer::Done),
            // Only races and memory safety can tell what is written but not followed.
            "write_bytes" => Ok(Answer::Done),
            "holds_signals" => {
                let holds = self.ctx.holds_signals();
                self.answer(request, i64::from(holds))
            }
            // No signal has a handler unless `lib/handlers.c` is there.
            "handle_signal" => self.answer(request, 0),
            // Then whatever signal comes ends the process.
            "wait_for_handler" => {
                self.finish(Label::Exit(Leaving::Call), request.span)?;
                Ok(Answer::Done)
            }
            // Nobody looks at a clock unless `lib/clock.c` is there.
            "pass" | "pass_until" => Ok(Answer::Done),
            "exit" => {
                self.finish(Label::Exit(Leaving::Call), request.span)?;
                Ok(Answer::Done)
            }
            "cond_wait" | "wait_holding" => self.wait(request, false),
            "cond_timedwait" | "timedwait_holding" => self.wait(request, true),
            _ if name.starts_with("any_") => self.any_value(request),
            _ => {
                let label = self.primitive_label(name, request)?;
                self.emit_atomic(vec![label], request.span);
                Ok(Answer::Done)
            }
        }
    }

    /// Does the system do what it usually does? If so, the verdict names what that is.
    fn typical(&mut self, request: &Request) -> Lowered<Answer> {
        let is_typical = self.ctx.options.environment == Environment::Typical;
        if is_typical {
            self.assuming(request)?;
        }
        self.answer(request, i64::from(is_typical))
    }

    /// The verdict names what the model takes for granted.
    fn assuming(&mut self, request: &Request) -> Lowered<()> {
        let text = request.exprs.first().and_then(|expr| self.literal(expr));
        let text = text.and_then(|text| String::from_utf8(text).ok());
        let line = text.ok_or_else(|| request.refuse("an assumption that is no literal"))?;
        self.ctx
            .assume_about(line.trim_end_matches('\0').to_owned());
        Ok(())
    }

    fn primitive_label(&mut self, name: &str, request: &Request) -> Lowered<Label> {
        let lock = |addr: Term, mode| Label::Lock { addr, mode };
        let unlock = |addr: Term, mode| Label::Unlock { addr, mode };
        Ok(match name {
            "await" => Label::Await(self.truth_of(request.arg(0)?)),
            "assume" => Label::Assume(self.truth_of(request.arg(0)?)),
            "lock" => lock(request.arg(0)?, LockMode::Exclusive),
            "unlock" => unlock(request.arg(0)?, LockMode::Exclusive),
            "read_lock" => lock(request.arg(0)?, LockMode::Read),
            "write_lock" => lock(request.arg(0)?, LockMode::Write),
            _ => return Err(request.refuse("no such primitive")),
        })
    }

    /// Any value of a type, in the name of the function of the library that asks.
    fn any_value(&mut self, request: &Request) -> Lowered<Answer> {
        let name = self.function.map_or("", |function| &function.name);
        let name = name.trim_start_matches("__mazurka_").to_string();
        let connected = || functions::is_connected(&name) && self.ctx.connects_files();
        if functions::is_determined(&name) || connected() {
            let known = self.ctx.xcfa.inexact.entry(name.clone());
            known.or_insert(Inexact::Every);
        }
        let origin = HavocOrigin::External(name, request.span);
        self.havoc(request.result, origin, request.span)
            .map(Answer::Value)
    }

    fn begin_fusing(&mut self, request: &Request) -> Lowered<Answer> {
        if self.fused.is_some() {
            return Err(request.refuse("atomic steps do not nest"));
        }
        self.fused = Some(Vec::new());
        Ok(Answer::Done)
    }

    fn end_fusing(&mut self, request: &Request) -> Lowered<Answer> {
        match self.fused.take() {
            Some(labels) => {
                self.emit_atomic(labels, request.span);
                Ok(Answer::Done)
            }
            None => Err(request.refuse("no atomic step is open")),
        }
    }
}
