//! `<signal.h>`. Signals do what they do by default, or what the program says (`lib/handlers.c`).

use super::Effect::{Fills, Object, TextOrNull};
use super::{CALLS, Row, SIGNALS, in_c, number, outside, refused, status};

const PROCESSES: &str = "lib/process.c";
const SETS: &str = "lib/signal_sets.c";

pub(super) const ROWS: &[Row] = &[
    refused(CALLS, "__sysv_signal sysv_signal ssignal sigset"),
    in_c("lib/handlers.c", "sigaction signal bsd_signal"),
    in_c("lib/waits.c", "sigwait sigwaitinfo sigtimedwait sigsuspend"),
    in_c(PROCESSES, "kill killpg raise gsignal pthread_kill"),
    outside(&[TextOrNull(1)], "psignal"),
    outside(&[Object(0), TextOrNull(1)], "psiginfo"),
    refused("waits for a signal, which is not modelled", "sigpause"),
    refused(
        SIGNALS,
        "sigblock sigsetmask sigqueue sigreturn siginterrupt sigstack \
         sighold sigrelse sigignore pthread_sigqueue tgkill",
    ),
    in_c("lib/signal_mask.c", "pthread_sigmask sigprocmask"),
    outside(&[], "siggetmask"),
    in_c(
        SETS,
        "sigemptyset sigfillset sigaddset sigdelset sigismember sigisemptyset sigandset sigorset",
    ),
    status(&[Fills(0)], "sigpending"),
    status(&[Object(0), Fills(1)], "sigaltstack"),
    number(&[], "__libc_current_sigrtmin __libc_current_sigrtmax"),
];
