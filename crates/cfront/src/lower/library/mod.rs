//! The model of the C library, as far as it is made of labels.
//!
//! What is easier to say in C (semaphores, barriers, keys, strings, ...) is in `lib/*.c` and is
//! added to a program that needs it, see [`units`]. A function that the program itself defines is
//! never modelled, except for the few names that mean something to every verifier.

pub(super) mod cancel;
mod cleanup;
mod effects;
mod format;
mod heap;
pub(super) mod kernel;
pub(super) mod keys;
mod memory;
mod numbers;
pub(super) mod once;
mod primitives;
mod printing;
mod scan;
pub(super) mod signals;
pub mod sorting;
mod sync;
mod thread;
pub(super) mod units;
pub(super) mod usage;
mod verifier;

pub(super) use heap::HEAP_ALIGN;

use super::function::FunctionLowering;
use super::reach::any_expr_in;
use super::types::{Lowered, is_record};
use crate::Unsupported;
use crate::functions::{self, Meaning};
use crate::hir::{Expr, ExprKind, Function, Program, Stmt, Type};
use expr::{Sort, Term};
use xcfa::{HavocOrigin, Span};

/// A call of a library function with evaluated arguments.
pub(super) struct Request<'e> {
    /// The function's name.
    pub name: &'e str,
    /// The values of the arguments.
    pub args: Vec<Term>,
    /// The arguments as written; empty if the call is made through a pointer.
    pub exprs: &'e [Expr],
    /// The function as the program declares it.
    pub declared: &'e Function,
    /// The type of the result.
    pub result: &'e Type,
    /// The call.
    pub span: Span,
    /// Does anyone use the result?
    pub wanted: bool,
    /// What the result points to, if a cast says so.
    pub pointee: Option<&'e Type>,
}

impl Request<'_> {
    /// An argument, or a refusal.
    pub fn arg(&self, at: usize) -> Lowered<Term> {
        self.args.get(at).copied().ok_or_else(|| {
            Unsupported::at(self.span, format!("`{}` with too few arguments", self.name))
        })
    }

    /// A refusal of the call.
    pub fn refuse(&self, why: &str) -> Unsupported {
        Unsupported::call(self.span, self.name, why)
    }

    /// A refusal of a function that the program could define itself.
    pub fn refuse_with_advice(&self, why: &str) -> Unsupported {
        self.refuse(&format!("{why}; {ADVICE}"))
    }
}

/// What a part of the model says to a call.
pub(in crate::lower) enum Answer {
    /// It knows nothing of this function.
    NotMine,
    /// Done; there is no value.
    Done,
    /// Done, with this value (of the type that the call has).
    Value(Term),
}

/// Calls of functions that are refused whatever they are given, in what is left of a body with errors.
pub(super) fn refused_calls(program: &Program, remains: &Stmt) -> Vec<Unsupported> {
    let mut refused = Vec::new();
    any_expr_in(remains, |expr| {
        if let ExprKind::Call { callee, .. } = &expr.kind
            && let ExprKind::FunctionAddr(id) = callee.kind
        {
            let function = &program.functions[id.0 as usize];
            let why = match functions::meaning(&function.name) {
                Some(Meaning::Refused(why)) if function.body.is_none() => Some(why),
                _ => None,
            };
            refused.extend(why.map(|why| {
                let why = format!("{why}; {ADVICE}");
                Unsupported::call(expr.span, &function.name, &why)
            }));
        }
        false
    });
    refused
}

/// What to do about a function that the program could define itself.
const ADVICE: &str = "define it to say what it does";

/// Which argument is a start routine?
pub(super) fn starts(name: &str) -> Option<usize> {
    match name {
        "pthread_create" => Some(2),
        "thrd_create" => Some(1),
        _ => None,
    }
}

/// Which argument receives what a joined thread returned?
pub(super) fn joins(name: &str) -> Option<usize> {
    match name {
        "pthread_join"
        | "thrd_join"
        | "pthread_tryjoin_np"
        | "pthread_timedjoin_np"
        | "pthread_clockjoin_np" => Some(1),
        _ => None,
    }
}

impl FunctionLowering<'_, '_> {
    /// A call of a function that the program does not define, and what is looked at round it.
    pub fn watched_call(&mut self, request: &Request) -> Lowered<Option<Term>> {
        let (args, span) = (&request.args, request.span);
        self.look_before(request.declared, request.exprs, args, span)?;
        let result = self.library_call(request)?;
        self.look_after(request.declared, result, args, span)?;
        Ok(result)
    }

    /// A call of a function that the program does not define.
    pub fn library_call(&mut self, request: &Request) -> Lowered<Option<Term>> {
        let parts = [
            Self::verifier_call,
            Self::primitive_call,
            Self::thread_call,
            Self::jump_call,
            Self::sync_call,
            Self::heap_call,
            Self::memory_call,
            Self::number_call,
            Self::scan_call,
            Self::print_call,
            Self::described_call,
        ];
        self.look_at_streams(request)?;
        for part in parts {
            match part(self, request)? {
                Answer::NotMine => {}
                Answer::Done => return self.missing_value(request),
                Answer::Value(value) => return Ok(Some(value)),
            }
        }
        self.external_call(request)
    }

    /// A stream that a function is given has to be open.
    fn look_at_streams(&mut self, request: &Request) -> Lowered<()> {
        // This one takes a null pointer for all streams.
        if request.name.starts_with("fflush") {
            return Ok(());
        }
        let records = self.types().records;
        let is_stream = |ty: &Type| match ty.unqualified() {
            Type::Pointer(to) => match to.unqualified() {
                Type::Record(id) => records[id.0 as usize].tag.as_deref() == Some("_IO_FILE"),
                _ => false,
            },
            _ => false,
        };
        let params = request.declared.ty.params.iter();
        let streams: Vec<usize> = params
            .enumerate()
            .filter(|(at, ty)| *at < request.args.len() && is_stream(ty))
            .map(|(at, _)| at)
            .collect();
        for at in streams {
            self.look_at(request, at, Sort::Bv(8))?;
        }
        Ok(())
    }

    /// If the program declares a result for a function that has none, it is arbitrary.
    fn missing_value(&mut self, request: &Request) -> Lowered<Option<Term>> {
        if !request.wanted || matches!(request.result, Type::Void) || is_record(request.result) {
            return Ok(None);
        }
        let origin = HavocOrigin::External(request.name.to_string(), request.span);
        self.havoc(request.result, origin, request.span).map(Some)
    }

    /// An unknown function: an arbitrary result, and no other effect.
    fn external_call(&mut self, request: &Request) -> Lowered<Option<Term>> {
        let name = request.name;
        let span = request.span;
        let mut declared = self.ctx.program.functions.iter();
        if declared.any(|f| f.name == name && f.noreturn && !f.link.library) {
            let line = format!("`{name}` is not defined: it is assumed to end the process at once");
            self.ctx.assume_about(line);
            self.finish(xcfa::Label::Exit(xcfa::Leaving::Call), span)?;
            return self.missing_value(request);
        }
        if request.declared.system || functions::is_system(name) {
            let why = "a function of the system that is not modelled";
            return Err(request.refuse_with_advice(why));
        }
        self.ctx.assume_about(match request.result {
            Type::Void => format!("`{name}` is not defined: it is assumed to change nothing"),
            _ => format!(
                "`{name}` is not defined: its result is arbitrary and it is assumed to change nothing"
            ),
        });
        let origin = HavocOrigin::External(name.to_string(), span);
        if is_record(request.result) {
            let target = self.temp_record(request.result, span)?;
            self.havoc_record(target, request.result, &origin, span)?;
            return Ok(Some(target));
        }
        self.missing_value(request)
    }

    /// An integer result.
    pub(in crate::lower) fn answer(&mut self, request: &Request, value: i64) -> Lowered<Answer> {
        if matches!(request.result, Type::Void) {
            return Ok(Answer::Done);
        }
        let sort = self.types().sort(request.result, request.span)?;
        Ok(Answer::Value(self.terms().constant(sort, value as u64)))
    }

    /// A value brought to the sort of the result.
    pub(in crate::lower) fn answer_term(
        &mut self,
        request: &Request,
        value: Term,
    ) -> Lowered<Answer> {
        if matches!(request.result, Type::Void) {
            return Ok(Answer::Done);
        }
        let sort = self.types().sort(request.result, request.span)?;
        Ok(Answer::Value(super::arith::force_sort(
            self.terms(),
            value,
            sort,
        )))
    }

    /// An arbitrary result from an input.
    fn answer_input(&mut self, request: &Request) -> Lowered<Answer> {
        if matches!(request.result, Type::Void) {
            return Ok(Answer::Done);
        }
        let origin = HavocOrigin::Input(request.name.to_string(), request.span);
        self.havoc(request.result, origin, request.span)
            .map(Answer::Value)
    }
}
