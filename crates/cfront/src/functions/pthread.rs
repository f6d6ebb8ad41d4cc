//! `<pthread.h>`.

use super::Effect::{Bytes, Fills, Object};
use super::{CALLS, Meaning, NO_MODEL, Row, WRITES, code, in_c, is, refused, steps, succeeds};

const ATTRIBUTES: &str = "lib/attributes.c";
const BARRIER: &str = "lib/barrier.c";
const CLEANUP: &str = "lib/cleanup.c";
const KEYS: &str = "lib/keys.c";
const MUTEX: &str = "lib/mutex.c";
const MUTEX_ATTRIBUTES: &str = "lib/mutex_attributes.c";
const NAMES: &str = "lib/names.c";
const ONCE: &str = "lib/once.c";
const ROBUST: &str = "lib/robust.c";
const TIMED: &str = "lib/timed.c";

pub(super) const ROWS: &[Row] = &[
    steps(
        "pthread_create pthread_exit pthread_join pthread_tryjoin_np pthread_timedjoin_np pthread_clockjoin_np pthread_detach pthread_self pthread_equal \
         pthread_testcancel pthread_mutex_init pthread_mutex_trylock \
         pthread_mutex_lock pthread_mutex_unlock pthread_mutex_destroy pthread_rwlock_init \
         pthread_rwlock_rdlock pthread_rwlock_tryrdlock pthread_rwlock_wrlock \
         pthread_rwlock_trywrlock pthread_rwlock_unlock pthread_rwlock_destroy pthread_cond_init \
         pthread_cond_signal pthread_cond_broadcast pthread_cond_wait pthread_cond_destroy \
         pthread_spin_init pthread_spin_lock pthread_spin_trylock pthread_spin_unlock \
         pthread_spin_destroy __pthread_unwind_next __sigsetjmp_cancel",
    ),
    is(
        Meaning::Steps(Some(CLEANUP)),
        "__pthread_register_cancel __pthread_unregister_cancel",
    ),
    refused(
        NO_MODEL,
        "pthread_attr_setstackaddr \
         __pthread_register_cancel_defer __pthread_unregister_cancel_restore \
         _pthread_cleanup_push _pthread_cleanup_pop",
    ),
    succeeds("pthread_yield"),
    in_c(
        "lib/cancel.c",
        "pthread_cancel pthread_setcancelstate pthread_setcanceltype",
    ),
    in_c(
        ATTRIBUTES,
        "pthread_attr_init pthread_attr_destroy pthread_attr_getdetachstate \
         pthread_attr_setdetachstate pthread_attr_getguardsize pthread_attr_setguardsize \
         pthread_attr_getschedparam pthread_attr_setschedparam pthread_attr_getschedpolicy \
         pthread_attr_setschedpolicy pthread_attr_getinheritsched pthread_attr_setinheritsched \
         pthread_attr_getscope pthread_attr_setscope pthread_attr_getstacksize \
         pthread_attr_setstacksize pthread_attr_getstack pthread_attr_setstack \
         pthread_rwlockattr_init pthread_rwlockattr_destroy pthread_rwlockattr_getpshared \
         pthread_rwlockattr_setpshared pthread_rwlockattr_getkind_np pthread_rwlockattr_setkind_np \
         pthread_condattr_init pthread_condattr_destroy \
         pthread_condattr_getpshared pthread_condattr_setpshared pthread_condattr_getclock \
         pthread_condattr_setclock pthread_barrierattr_init pthread_barrierattr_destroy \
         pthread_barrierattr_getpshared pthread_barrierattr_setpshared",
    ),
    refused(
        WRITES,
        "pthread_attr_getstackaddr pthread_getattr_default_np pthread_getattr_np \
         pthread_mutex_getprioceiling pthread_mutex_setprioceiling",
    ),
    code(
        &[Bytes(2, 1)],
        "pthread_attr_setaffinity_np pthread_setaffinity_np",
    ),
    code(
        &[Fills(2)],
        "pthread_attr_getaffinity_np pthread_getaffinity_np",
    ),
    code(&[Object(1)], "pthread_attr_setsigmask_np"),
    code(
        &[Fills(1)],
        "pthread_attr_getsigmask_np pthread_getcpuclockid",
    ),
    code(
        &[],
        "pthread_setattr_default_np pthread_setschedprio pthread_getconcurrency \
         pthread_setconcurrency",
    ),
    code(&[Object(2)], "pthread_setschedparam"),
    code(&[Fills(1), Fills(2)], "pthread_getschedparam"),
    in_c(NAMES, "pthread_getname_np pthread_setname_np"),
    in_c(ONCE, "pthread_once"),
    in_c(
        TIMED,
        "pthread_mutex_timedlock pthread_mutex_clocklock pthread_rwlock_timedrdlock \
         pthread_rwlock_clockrdlock pthread_rwlock_timedwrlock pthread_rwlock_clockwrlock \
         pthread_cond_timedwait pthread_cond_clockwait",
    ),
    in_c(
        ROBUST,
        "pthread_mutex_consistent pthread_mutex_consistent_np pthread_mutexattr_setrobust \
         pthread_mutexattr_setrobust_np",
    ),
    in_c(
        MUTEX_ATTRIBUTES,
        "pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_getpshared \
         pthread_mutexattr_setpshared pthread_mutexattr_gettype pthread_mutexattr_getprotocol \
         pthread_mutexattr_setprotocol \
         pthread_mutexattr_getprioceiling \
         pthread_mutexattr_setprioceiling pthread_mutexattr_getrobust \
         pthread_mutexattr_getrobust_np",
    ),
    in_c(MUTEX, "pthread_mutexattr_settype"),
    in_c(BARRIER, "pthread_barrier_init pthread_barrier_wait"),
    in_c("lib/destroyed_barrier.c", "pthread_barrier_destroy"),
    in_c(
        KEYS,
        "pthread_key_create pthread_key_delete pthread_getspecific pthread_setspecific",
    ),
    refused(CALLS, "pthread_atfork"),
];
