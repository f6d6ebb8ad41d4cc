//! `<threads.h>`.

use super::{Row, in_c, steps, succeeds};

const KEYS: &str = "lib/keys.c";
const MUTEX: &str = "lib/c11_mutex.c";
const SLEEP: &str = "lib/sleep.c";
const TIMED: &str = "lib/timed.c";

pub(super) const ROWS: &[Row] = &[
    steps(
        "thrd_create thrd_equal thrd_current thrd_exit thrd_join cnd_signal cnd_broadcast \
         cnd_wait cnd_init cnd_destroy thrd_detach",
    ),
    in_c(SLEEP, "thrd_sleep"),
    succeeds("thrd_yield"),
    in_c(
        MUTEX,
        "mtx_init mtx_lock mtx_timedlock mtx_trylock mtx_unlock mtx_destroy",
    ),
    in_c("lib/once.c", "call_once"),
    in_c(TIMED, "cnd_timedwait"),
    in_c(KEYS, "tss_create tss_get tss_set tss_delete"),
];
