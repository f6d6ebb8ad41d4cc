//! Modelled functions that one thread cannot try out by calling them.

/// Why there is no call.
#[derive(Clone, Copy, Debug)]
pub enum Reason {
    /// A program of `litmus/` shows what it does.
    Litmus(&'static str),
    /// In words.
    Because(&'static str),
}

/// The functions.
pub fn exempt() -> Vec<(&'static str, Reason)> {
    let each = |(names, reason): &(&'static str, Reason)| {
        let reason = *reason;
        names
            .split_ascii_whitespace()
            .map(move |name| (name, reason))
    };
    EXEMPT.iter().flat_map(each).collect()
}

use Reason::{Because, Litmus};

const EXEMPT: &[(&str, Reason)] = &[
    (
        "pthread_create pthread_join pthread_exit",
        Litmus("join_result"),
    ),
    (
        "pthread_tryjoin_np pthread_timedjoin_np pthread_clockjoin_np",
        Litmus("joined_or_not"),
    ),
    ("pthread_detach", Litmus("detached")),
    (
        "__pthread_register_cancel __pthread_unregister_cancel __pthread_unwind_next __sigsetjmp_cancel",
        Litmus("cleanup_handlers"),
    ),
    (
        "thrd_create thrd_join thrd_exit thrd_detach cnd_wait",
        Litmus("c11_threads"),
    ),
    ("pthread_once call_once", Litmus("once")),
    ("pthread_cond_wait", Litmus("signal_wakes_one")),
    (
        "exit _exit _Exit quick_exit abort err errx error",
        Litmus("library_ends"),
    ),
    (
        "__assert_fail __assert_rtn __assert_perror_fail __assert __stack_chk_fail __chk_fail \
         __fortify_fail",
        Because("ends the process, as `abort` does"),
    ),
    (
        "reach_error __VERIFIER_error __VERIFIER_assert assert __VERIFIER_assume \
         __VERIFIER_atomic_begin __VERIFIER_atomic_end",
        Because("is no function of the library"),
    ),
    (
        "__builtin_trap __builtin_assume __memcpy_chk __builtin___memcpy_chk __memmove_chk \
         __builtin___memmove_chk __memset_chk __builtin___memset_chk __sprintf_chk \
         __snprintf_chk __builtin___sprintf_chk __builtin___snprintf_chk",
        Because("is another name that the compiler has for a function with calls"),
    ),
    (
        "__printf_chk __fprintf_chk __dprintf_chk vprintf vfprintf vdprintf syslog warn warnx printk",
        Because("prints as `printf` does"),
    ),
    (
        "scanf fscanf sscanf",
        Because("what is read is any value, and any count of them"),
    ),
    (
        "fork daemon sigwait sigwaitinfo sigtimedwait alarm setitimer",
        Because("another process takes part"),
    ),
    ("pause sigsuspend", Litmus("signal_awaited")),
    ("pthread_cancel", Litmus("cancelled_wait")),
    (
        "_setjmp __sigsetjmp sigsetjmp _longjmp siglongjmp __longjmp_chk",
        Because("is another name of `setjmp` or `longjmp`, without masks of signals"),
    ),
    ("sem_open sem_close sem_unlink", Litmus("named_semaphore")),
    (
        "opendir fdopendir readdir rewinddir closedir realpath uname timerfd_create signalfd writev",
        Because("what comes from the system is anything"),
    ),
    (
        "getline getdelim __getdelim",
        Because("what is read is any text"),
    ),
    (
        "localtime_r localtime mktime timelocal ctime ctime_r",
        Because("what the time zone does is open; in UTC it is what `gmtime_r` and `timegm` do"),
    ),
    (
        "__sysconf getpagesize getdtablesize get_nprocs get_nprocs_conf",
        Because("is a limit of the machine, as `sysconf` tells it"),
    ),
    (
        "inet_pton inet_aton inet_addr inet_ntop inet_ntoa",
        Because("which address a text says is not worked out"),
    ),
    ("mmap64", Because("is another name of `mmap`")),
    (
        "strlcpy strlcat cfree pvalloc",
        Because("is not in every version of the library"),
    ),
    (
        "atomic_flag_test_and_set atomic_flag_test_and_set_explicit atomic_flag_clear \
         atomic_flag_clear_explicit",
        Because("is a macro; the library has no function of this name"),
    ),
    (
        "backtrace backtrace_symbols backtrace_symbols_fd gethostbyname",
        Because("what comes from the system is anything"),
    ),
];
