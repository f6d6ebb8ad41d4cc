//! What library code in C is built from: `__mazurka_*`.
//!
//! Between `__mazurka_atomic_begin()` and `__mazurka_atomic_end()` labels collect on one atomic
//! edge; only straight code is allowed there. The edge as a whole waits until it can happen.

use super::{Answer, Request};
use crate::lower::function::FunctionLowering;
use crate::lower::types::Lowered;
use expr::Term;
use xcfa::{Label, LockMode};

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
            "self" => {
                let handle = self.self_handle(request.span);
                self.answer_term(request, handle)
            }
            "thread_exit" => {
                self.finish(Label::ThreadExit(request.arg(0)?), request.span)?;
                Ok(Answer::Done)
            }
            "atomic_end_or_give_up" => self.end_fusing_or_give_up(request),
            _ => {
                let label = self.primitive_label(name, request)?;
                self.emit_atomic(vec![label], request.span);
                Ok(Answer::Done)
            }
        }
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
            "rw_unlock" => unlock(request.arg(0)?, LockMode::Write),
            "wait" => Label::Wait {
                cond: request.arg(0)?,
            },
            "await_signal" => Label::AwaitSignal {
                timed: self.flag(request, 0)?,
            },
            "signal" => Label::Signal {
                cond: request.arg(0)?,
                all: self.flag(request, 1)?,
            },
            _ => return Err(request.refuse("no such primitive")),
        })
    }

    /// A constant argument that is true or false.
    fn flag(&mut self, request: &Request, at: usize) -> Lowered<bool> {
        let value = request.arg(at)?;
        match self.terms().as_const(value) {
            Some(bits) => Ok(bits != 0),
            None => Err(request.refuse("a flag that is not constant")),
        }
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

    /// Ends an atomic step that may also be left undone at any time: 1 if it was done.
    fn end_fusing_or_give_up(&mut self, request: &Request) -> Lowered<Answer> {
        let Some(done) = self.fused.take() else {
            return Err(request.refuse("no atomic step is open"));
        };
        self.either(request, done, Vec::new(), [1, 0])
    }
}
