//! Errors, assertions, jumps, and the loader.

use super::Meaning::{Prints, PrintsAndEnds};
use super::{CALLS, NO_MODEL, Row, VARIABLE, in_c, is, refused, steps};

pub(super) const ROWS: &[Row] = &[
    steps(
        "__assert_fail __assert_rtn __assert_perror_fail __assert error __stack_chk_fail \
         __chk_fail __fortify_fail",
    ),
    steps("setjmp _setjmp __sigsetjmp sigsetjmp longjmp _longjmp siglongjmp __longjmp_chk"),
    in_c("lib/errno.c", "__errno_location"),
    is(PrintsAndEnds(1), "err errx"),
    is(Prints(0), "warn warnx"),
    in_c(
        "lib/traces.c",
        "backtrace backtrace_symbols backtrace_symbols_fd",
    ),
    refused(VARIABLE, "verr verrx vwarn vwarnx"),
    refused(NO_MODEL, "error_at_line getcontext setcontext swapcontext"),
    refused(CALLS, "makecontext dl_iterate_phdr"),
];
