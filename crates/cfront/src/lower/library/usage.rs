//! Misuse of the threading library: what is looked at round a call of the program.
//!
//! `lib/usage_*.c` says in C what must hold before a call of a function (`__mazurka_before_NAME`), before an object of
//! static storage is initialised (`__mazurka_again_NAME`: its memory is never garbage), and what to remember after a
//! call (`__mazurka_after_NAME`, which is given the result first). Semaphores and barriers have models of their own
//! there. Nothing of this is part of a program whose usage is not asked about.

use super::Request;
use super::cancel::Wait;
use crate::Unsupported;
use crate::functions;
use crate::hir::{Expr, ExprKind, FuncId, Function, Program, Type};
use crate::lower::function::FunctionLowering;
use crate::lower::reach::{Reach, peel_casts};
use crate::lower::types::{Lowered, Types};
use expr::Term;
use xcfa::{Callee, ErrorKind, Label, Misuse, Span};

const BEFORE: &str = "__mazurka_before_";
const AGAIN: &str = "__mazurka_again_";
const AFTER: &str = "__mazurka_after_";

/// What forgets that a thread waits for another one, or on a condition variable, because it is cancelled there.
const CANCELLED_JOIN: &str = "__mazurka_cancelled_join";
const CANCELLED_WAIT: &str = "__mazurka_cancelled_wait";

/// What remembers that a thread was started detached.
const STARTED: &str = "__mazurka_after_start";

const MUTEX: &str = "lib/usage_mutex.c";
const CONDITION: &str = "lib/usage_condition.c";
const RWLOCK: &str = "lib/usage_rwlock.c";
const SPIN: &str = "lib/usage_spin.c";
const SEMAPHORE: &str = "lib/usage_semaphore.c";
const BARRIER: &str = "lib/usage_barrier.c";
const THREADS: &str = "lib/usage_threads.c";

/// Functions of which a misuse is possible.
struct Watched {
    /// How their names begin.
    start: &'static str,
    /// What looks at their calls.
    units: &'static [&'static str],
    /// How many bytes their objects have at least (LP64, ILP32).
    bytes: [u64; 2],
}

const WATCHED: &[Watched] = &[
    watched("pthread_mutex_", &[MUTEX], [40, 24]),
    watched("mtx_", &[MUTEX], [40, 24]),
    watched("pthread_cond_", &[CONDITION, MUTEX], [48, 48]),
    watched("cnd_", &[CONDITION, MUTEX], [48, 48]),
    watched("pthread_rwlock_", &[RWLOCK], [56, 32]),
    watched("pthread_spin_", &[SPIN], [4, 4]),
    watched("sem_", &[SEMAPHORE], [32, 16]),
    watched("pthread_barrier_", &[BARRIER], [32, 20]),
    watched("pthread_join", &[THREADS], [0, 0]),
    watched("pthread_tryjoin_np", &[THREADS], [0, 0]),
    watched("pthread_timedjoin_np", &[THREADS], [0, 0]),
    watched("pthread_clockjoin_np", &[THREADS], [0, 0]),
    watched("pthread_detach", &[THREADS], [0, 0]),
    watched("thrd_join", &[THREADS], [0, 0]),
    watched("thrd_detach", &[THREADS], [0, 0]),
];

const fn watched(start: &'static str, units: &'static [&'static str], bytes: [u64; 2]) -> Watched {
    Watched {
        start,
        units,
        bytes,
    }
}

/// Functions that are given a name, and no object.
const BY_NAME: [&str; 2] = ["sem_open", "sem_unlink"];

/// How calls of a function of the library are looked at.
fn watch(function: &Function) -> Option<&'static Watched> {
    let name = function.name.as_str();
    let is_library = function.body.is_none() || function.link.library;
    let is_known = functions::meaning(name).is_some() && !BY_NAME.contains(&name);
    let mut rows = WATCHED.iter().filter(|_| is_library && is_known);
    rows.find(|row| function.name.starts_with(row.start))
}

/// The units that look at calls of what the program uses.
pub(super) fn units(program: &Program, reach: &Reach) -> Vec<&'static str> {
    let used = reach.functions.iter();
    let used = used.map(|id| &program.functions[id.0 as usize]);
    let rows = used.filter_map(watch);
    rows.flat_map(|row| row.units).copied().collect()
}

/// What is called although no text calls it.
pub(in crate::lower) fn roots(program: &Program) -> impl Iterator<Item = FuncId> {
    let functions = program.functions.iter();
    let named = functions.filter(|function| {
        let name = function.name.as_str();
        let starts = [BEFORE, AGAIN, AFTER].iter().any(|it| name.starts_with(it))
            || [CANCELLED_JOIN, CANCELLED_WAIT].contains(&name);
        starts && function.body.is_some() && function.link.library
    });
    named.filter_map(|function| program.defined(&function.name))
}

/// Refuses pointers to functions whose calls are looked at where they are written in C: nobody would see the call.
pub(in crate::lower) fn refuse_pointers(program: &Program, reach: &Reach) -> Option<Unsupported> {
    let pointed_to = reach.address_taken.iter().chain(&reach.started);
    let mut functions = pointed_to.map(|id| &program.functions[id.0 as usize]);
    let is_hidden =
        |f: &&Function| f.link.library && program.defined(&format!("{BEFORE}{}", f.name)).is_some();
    let hidden = functions.find(is_hidden)?;
    let why = "its use is checked only where it is called by its name";
    Some(Unsupported::call(hidden.span, &hidden.name, why))
}

impl FunctionLowering<'_, '_> {
    /// Is anything to be remembered after a call of the program? Then its result is wanted.
    pub(in crate::lower) fn is_watched_after(&self, function: &Function, span: Span) -> bool {
        let is_watched = self.watches(span) && watch(function).is_some();
        is_watched && self.model(&format!("{AFTER}{}", function.name)).is_some()
    }

    fn watches(&self, span: Span) -> bool {
        self.ctx.options.usage_checks && !self.ctx.is_library(span)
    }

    /// Looks at a call that the program is about to make.
    pub(in crate::lower) fn look_before(
        &mut self,
        function: &Function,
        exprs: &[Expr],
        args: &[Term],
        span: Span,
    ) -> Lowered<()> {
        let Some(row) = watch(function).filter(|_| self.watches(span)) else {
            return Ok(());
        };
        // A model in C has types of its own; the call has those of the program.
        let given = exprs.first().map(|expr| &expr.ty);
        let given = given.or_else(|| function.ty.params.first());
        self.refuse_small_object(&function.name, given, row, span)?;
        if exprs.first().is_some_and(is_static) {
            self.look(AGAIN, &function.name, args, span)?;
        }
        self.look(BEFORE, &function.name, args, span)
    }

    /// Remembers what a call of the program has done.
    pub(in crate::lower) fn look_after(
        &mut self,
        function: &Function,
        result: Option<Term>,
        args: &[Term],
        span: Span,
    ) -> Lowered<()> {
        match result.filter(|_| self.is_watched_after(function, span)) {
            Some(result) => {
                let all: Vec<Term> = [result].into_iter().chain(args.iter().copied()).collect();
                self.look(AFTER, &function.name, &all, span)
            }
            None => Ok(()),
        }
    }

    fn look(&mut self, when: &str, name: &str, args: &[Term], span: Span) -> Lowered<()> {
        match self.model(&format!("{when}{name}")) {
            Some(id) => self.call_watcher(id, args.to_vec(), span),
            None => Ok(()),
        }
    }

    fn call_watcher(&mut self, id: FuncId, args: Vec<Term>, span: Span) -> Lowered<()> {
        self.no_fusing(span)?;
        let proc = self.model_proc(id)?;
        let args = self.fit_args(proc, args, &[], span);
        self.emit(Label::call(Callee::Direct(proc), args, None), span);
        Ok(())
    }

    /// What the checks keep has to fit into the object.
    fn refuse_small_object(
        &self,
        name: &str,
        given: Option<&Type>,
        row: &Watched,
        span: Span,
    ) -> Lowered<()> {
        let is_wide = self.ctx.xcfa.pointer_bits() == 64;
        let least = row.bytes[usize::from(!is_wide)];
        let Types { model, records } = self.types();
        let size = match given.map(Type::unqualified) {
            Some(Type::Pointer(to)) if !matches!(**to, Type::Void) => to.size(model, records),
            _ => None,
        };
        match size.filter(|&size| size < least) {
            Some(size) => {
                let why = format!("its object has {size} bytes, and that of the system {least}");
                Err(Unsupported::call(span, name, &why))
            }
            None => Ok(()),
        }
    }

    /// A thread that was started with attributes may be detached.
    pub(super) fn look_at_start(
        &mut self,
        handle: Term,
        attributes: Term,
        span: Span,
    ) -> Lowered<()> {
        match self.model(STARTED).filter(|_| self.watches(span)) {
            Some(id) => self.call_watcher(id, vec![handle, attributes], span),
            None => Ok(()),
        }
    }

    /// A thread that waits for a signal, or for another thread, is cancelled there. (The wait may be that of a model.)
    pub(super) fn look_at_cancelled(&mut self, request: &Request, wait: Wait) -> Lowered<()> {
        if !self.ctx.options.usage_checks {
            return Ok(());
        }
        let name = match wait {
            Wait::Elsewhere => CANCELLED_JOIN,
            Wait::Signal | Wait::Relocking(_) => CANCELLED_WAIT,
        };
        match self.model(name) {
            Some(id) => {
                let object = request.arg(0)?;
                self.call_watcher(id, vec![object], request.span)
            }
            None => Ok(()),
        }
    }

    /// `__mazurka_misuse(condition, "name")`: an error if the condition holds.
    pub(super) fn misuse(&mut self, request: &Request) -> Lowered<()> {
        let text = request.exprs.get(1).and_then(|expr| self.literal(expr));
        let text = text.and_then(|text| String::from_utf8(text).ok());
        let name = text.unwrap_or_default();
        let misuse = Misuse::named(name.trim_end_matches('\0'));
        let misuse = misuse.ok_or_else(|| request.refuse("no such misuse"))?;
        let cond = self.truth_of(request.arg(0)?);
        let error = self.new_loc();
        self.ctx.xcfa[error].error = Some(ErrorKind::Misuse);
        self.ctx.xcfa[error].misuse = Some(misuse);
        self.leave_if(cond, error, request.span)
    }

    /// `__mazurka_beyond(condition)`: the model keeps no more than this.
    pub(super) fn beyond(&mut self, request: &Request) -> Lowered<()> {
        let cond = self.truth_of(request.arg(0)?);
        let end = self.error_loc(ErrorKind::Unwound);
        self.leave_if(cond, end, request.span)
    }
}

/// Is it the address of something with static storage, which is never garbage?
fn is_static(expr: &Expr) -> bool {
    match &peel_casts(expr).kind {
        ExprKind::AddrOf(place) | ExprKind::Decay(place) => is_static_place(place),
        ExprKind::PointerAdd { pointer, .. } => is_static(pointer),
        _ => false,
    }
}

fn is_static_place(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Global(_) => true,
        ExprKind::Member(base, _) => is_static_place(base),
        ExprKind::Deref(pointer) => is_static(pointer),
        _ => false,
    }
}
