//! Functions without an effect that a property could see.

use super::{Answer, Request};
use crate::hir::Type;
use crate::lower::function::FunctionLowering;
use crate::lower::types::Lowered;
use expr::Op;

/// Printing: the result is arbitrary.
const PRINTING: &[&str] = &[
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "dprintf",
    "puts",
    "fputs",
    "putchar",
    "fputc",
    "putc",
    "fwrite",
    "write",
    "perror",
    "printk",
    "__printf_chk",
    "__fprintf_chk",
    "__builtin_printf",
    "__builtin_puts",
    "__builtin_putchar",
    "putchar_unlocked",
    "psignal",
];

/// Succeeds, with the result 0.
const SUCCEEDING: &[&str] = &[
    "fflush",
    "fclose",
    "sched_yield",
    "pthread_yield",
    "thrd_yield",
    "usleep",
    "nanosleep",
    "thrd_sleep",
    "sleep",
    "setvbuf",
    "setbuf",
    "srand",
    "srandom",
    "pthread_detach",
    "thrd_detach",
    "pthread_setname_np",
    "pthread_setconcurrency",
    "pthread_setschedparam",
    "pthread_setschedprio",
    "pthread_setaffinity_np",
    "pthread_testcancel",
    "pthread_mutex_destroy",
    "pthread_mutex_consistent",
    "pthread_mutexattr_init",
    "pthread_mutexattr_destroy",
    "pthread_mutexattr_setpshared",
    "pthread_mutexattr_setprotocol",
    "pthread_mutexattr_setprioceiling",
    "pthread_cond_init",
    "pthread_cond_destroy",
    "cnd_init",
    "cnd_destroy",
    "pthread_condattr_init",
    "pthread_condattr_destroy",
    "pthread_condattr_setpshared",
    "pthread_condattr_setclock",
    "pthread_rwlock_destroy",
    "pthread_rwlockattr_init",
    "pthread_rwlockattr_destroy",
    "pthread_rwlockattr_setpshared",
    "pthread_rwlockattr_setkind_np",
    "pthread_barrierattr_init",
    "pthread_barrierattr_destroy",
    "pthread_barrierattr_setpshared",
    "pthread_spin_destroy",
    "pthread_attr_init",
    "pthread_attr_destroy",
    "pthread_attr_setdetachstate",
    "pthread_attr_setguardsize",
    "pthread_attr_setinheritsched",
    "pthread_attr_setschedparam",
    "pthread_attr_setschedpolicy",
    "pthread_attr_setscope",
    "pthread_attr_setstack",
    "pthread_attr_setstackaddr",
    "pthread_attr_setstacksize",
    "pthread_attr_setaffinity_np",
];

impl FunctionLowering<'_, '_> {
    /// Printing, sleeping, attributes, absolute values.
    pub(super) fn quiet_call(&mut self, request: &Request) -> Lowered<Answer> {
        let name = request.name;
        if PRINTING.contains(&name) {
            let wanted = request.wanted && !matches!(request.result, Type::Void);
            return match wanted {
                true => self.answer_printed(request),
                false => Ok(Answer::Done),
            };
        }
        if SUCCEEDING.contains(&name) {
            return self.answer(request, 0);
        }
        match name {
            "pthread_setcancelstate" | "pthread_setcanceltype" => {
                let constant = request
                    .args
                    .get(1)
                    .and_then(|old| self.terms().as_const(*old));
                match constant {
                    Some(0) => self.answer(request, 0),
                    _ => Err(request.refuse("the old state is asked for")),
                }
            }
            "abs" | "labs" | "llabs" | "__builtin_abs" | "__builtin_labs" => self.absolute(request),
            "ffs" | "ffsl" | "ffsll" => {
                let value = request.arg(0)?;
                let width = self.terms().width(value);
                let first = self.first_bit(value, 0..width, |bit| bit + 1);
                self.answer_term(request, first)
            }
            _ => Ok(Answer::NotMine),
        }
    }

    /// An arbitrary result, and no other effect.
    pub(super) fn answer_printed(&mut self, request: &Request) -> Lowered<Answer> {
        let origin = xcfa::HavocOrigin::External(request.name.to_string(), request.span);
        self.havoc(request.result, origin, request.span)
            .map(Answer::Value)
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
