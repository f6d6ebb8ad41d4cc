//! Functions of the C library that are known to write through their arguments or to call back, but
//! not modelled.
//!
//! To assume that they change nothing would be plainly wrong. Where one object of a known type is
//! written it becomes arbitrary; where it is a buffer of any size, the call is refused.

use super::{Answer, Request};
use crate::hir::Type;
use crate::lower::function::FunctionLowering;
use crate::lower::types::Lowered;
use expr::Op;
use xcfa::HavocOrigin;

/// Functions and the argument that points to the object they fill; null is allowed.
const FILLS: &[(&str, usize)] = &[
    ("clock_gettime", 1),
    ("clock_getres", 1),
    ("timespec_get", 0),
    ("gettimeofday", 0),
    ("time", 0),
    ("localtime_r", 1),
    ("gmtime_r", 1),
    ("stat", 1),
    ("lstat", 1),
    ("fstat", 1),
    ("getrusage", 1),
    ("sigemptyset", 0),
    ("sigfillset", 0),
    ("frexp", 1),
    ("modf", 1),
    ("rand_r", 0),
];

/// Functions that write to memory of any size, or where their arguments tell.
const WRITES: &[&str] = &[
    "sprintf",
    "snprintf",
    "vsprintf",
    "vsnprintf",
    "asprintf",
    "vasprintf",
    "__sprintf_chk",
    "__snprintf_chk",
    "__builtin___sprintf_chk",
    "__builtin___snprintf_chk",
    "strftime",
    "fgets",
    "gets",
    "fread",
    "read",
    "pread",
    "recv",
    "recvfrom",
    "readlink",
    "getcwd",
    "realpath",
    "getline",
    "getdelim",
    "qsort",
    "strtok",
    "strtok_r",
    "strtol",
    "strtoul",
    "strtoll",
    "strtoull",
    "strtod",
    "strtof",
    "pipe",
    "socketpair",
    "poll",
    "select",
    "rand_r",
    "drand48_r",
    "getopt",
    "getopt_long",
];

/// Functions that call functions of the program, at once or later.
const CALLS_BACK: &[&str] = &[
    "atexit",
    "at_quick_exit",
    "on_exit",
    "__cxa_atexit",
    "signal",
    "bsd_signal",
    "sigaction",
    "sigset",
    "bsearch",
    "qsort_r",
    "pthread_atfork",
    "scandir",
    "ftw",
    "nftw",
    "tsearch",
    "twalk",
    "tdelete",
    "lfind",
    "lsearch",
    "timer_create",
    "glob",
    "makecontext",
    "clone",
];

impl FunctionLowering<'_, '_> {
    /// What is filled becomes arbitrary; what cannot be followed is refused.
    pub(super) fn writer_call(&mut self, request: &Request) -> Lowered<Answer> {
        if let Some((_, at)) = FILLS.iter().find(|(name, _)| *name == request.name) {
            return self.fill(request, *at);
        }
        if CALLS_BACK.contains(&request.name) {
            return Err(request.refuse("calls functions of the program, which is not modelled"));
        }
        match WRITES.contains(&request.name) {
            // With a null pointer for the end, these read only.
            true if request.name.starts_with("strto") && self.is_null(request, 1) => {
                Ok(Answer::NotMine)
            }
            true => Err(request.refuse("writes to memory, which is not modelled")),
            false => Ok(Answer::NotMine),
        }
    }

    fn is_null(&mut self, request: &Request, at: usize) -> bool {
        let arg = request.args.get(at).copied();
        arg.is_some_and(|arg| self.terms().as_const(arg) == Some(0))
    }

    fn fill(&mut self, request: &Request, at: usize) -> Lowered<Answer> {
        if self.is_null(request, at) {
            return Ok(Answer::NotMine);
        }
        let address = request.arg(at)?;
        let pointee = request.exprs.get(at).and_then(|expr| match &expr.ty {
            Type::Pointer(to) => Some(to.clone()),
            _ => None,
        });
        let pointee = pointee.filter(|to| {
            let types = self.types();
            to.size(types.model, types.records)
                .is_some_and(|size| size > 0)
        });
        let Some(to) = pointee else {
            return Err(request.refuse("writes to memory, which is not modelled"));
        };
        let origin = HavocOrigin::External(request.name.to_string(), request.span);
        let zero = self.ctx.word(0);
        let is_null = self.terms().binary(Op::Eq, address, zero);
        // Whether a pointer is null is mostly known; where it is not, null is left out, which is
        // told.
        if self.terms().as_const(is_null).is_none() {
            let there = self.terms().not(is_null);
            self.assume(there, request.span);
            let name = request.name;
            let line = format!("`{name}` is given somewhere to write, not a null pointer");
            self.ctx.assume_about(line);
        }
        self.havoc_record(address, &to, &origin, request.span)?;
        match request.wanted && !matches!(request.result, Type::Void) {
            true => self.answer_printed(request),
            false => Ok(Answer::Done),
        }
    }
}
