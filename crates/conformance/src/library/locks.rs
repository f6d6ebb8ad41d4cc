//! Calls of `pthread` and `threads.h` functions by one thread.

use super::calls::{Call, exact, open};

pub(super) const CALLS: &[Call] = &[
    exact(
        "pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate \
         pthread_attr_getdetachstate",
        "pthread_attr_t a; int s = 7, i = pthread_attr_init(&a), r = pthread_attr_setdetachstate(&a, $n); pthread_attr_getdetachstate(&a, &s);",
        &["i", "r", "s", "pthread_attr_destroy(&a)"],
    ),
    exact(
        "pthread_attr_setscope pthread_attr_getscope pthread_attr_setinheritsched \
         pthread_attr_getinheritsched",
        "pthread_attr_t a; int s = 7, t = 7; pthread_attr_init(&a); int r = pthread_attr_setscope(&a, $n), q = pthread_attr_setinheritsched(&a, $m); pthread_attr_getscope(&a, &s); pthread_attr_getinheritsched(&a, &t);",
        &["r", "q", "s", "t"],
    ),
    exact(
        "pthread_attr_setschedpolicy pthread_attr_getschedpolicy pthread_attr_setschedparam \
         pthread_attr_getschedparam",
        "pthread_attr_t a; int s = 7; struct sched_param p = { $i }, g = { 7 }; pthread_attr_init(&a); int r = pthread_attr_setschedpolicy(&a, $n), q = pthread_attr_setschedparam(&a, &p); pthread_attr_getschedpolicy(&a, &s); pthread_attr_getschedparam(&a, &g);",
        &["r", "q", "s", "g.sched_priority"],
    ),
    exact(
        "pthread_attr_setguardsize pthread_attr_getguardsize",
        "pthread_attr_t a; size_t g = 0; pthread_attr_init(&a); int r = pthread_attr_setguardsize(&a, $n); pthread_attr_getguardsize(&a, &g);",
        &["r", "g"],
    ),
    exact(
        "pthread_attr_setstacksize pthread_attr_getstacksize",
        "pthread_attr_t a; size_t g = 0, h = 0; pthread_attr_init(&a); pthread_attr_getstacksize(&a, &h); int q = pthread_attr_setstacksize(&a, $n), r = pthread_attr_setstacksize(&a, 1048576); pthread_attr_getstacksize(&a, &g);",
        &["r", "q", "g", "h >= 16384"],
    ),
    exact(
        "pthread_attr_setstack pthread_attr_getstack",
        "static char area[4]; pthread_attr_t a; void *p = 0; size_t g = 0; pthread_attr_init(&a); int q = pthread_attr_setstack(&a, area, 4), r = pthread_attr_setstack(&a, area, 1048576); pthread_attr_getstack(&a, &p, &g);",
        &["r", "q", "g", "p == area"],
    ),
    exact(
        "pthread_rwlockattr_init pthread_rwlockattr_destroy pthread_rwlockattr_setpshared \
         pthread_rwlockattr_getpshared pthread_rwlockattr_getkind_np",
        "pthread_rwlockattr_t a; int s = 7, k = 7; pthread_rwlockattr_init(&a); int r = pthread_rwlockattr_setpshared(&a, $n); pthread_rwlockattr_getpshared(&a, &s); pthread_rwlockattr_getkind_np(&a, &k);",
        &["r", "s", "k", "pthread_rwlockattr_destroy(&a)"],
    ),
    exact(
        "pthread_condattr_init pthread_condattr_destroy pthread_condattr_setpshared \
         pthread_condattr_getpshared pthread_condattr_setclock pthread_condattr_getclock",
        "pthread_condattr_t a; int s = 7; clockid_t c = 7; pthread_condattr_init(&a); int r = pthread_condattr_setpshared(&a, $n), q = pthread_condattr_setclock(&a, $m); pthread_condattr_getpshared(&a, &s); pthread_condattr_getclock(&a, &c);",
        &["r", "q", "s", "c", "pthread_condattr_destroy(&a)"],
    ),
    exact(
        "pthread_mutexattr_setprotocol",
        "pthread_mutexattr_t a; int s = 7; pthread_mutexattr_init(&a); int r = pthread_mutexattr_setprotocol(&a, $n % 2);",
        &[
            "r",
            "pthread_mutexattr_getprotocol(&a, &s)",
            "s",
            "pthread_mutexattr_setprotocol(&a, $m + 3)",
        ],
    ),
    exact(
        "pthread_setcancelstate pthread_setcanceltype pthread_testcancel",
        "int s = 7, t = 7, u = 7; int r = pthread_setcancelstate($n, &s), q = pthread_setcanceltype($m, &t); pthread_testcancel(); pthread_setcancelstate(0, &u); pthread_setcanceltype(0, 0);",
        &["r", "q", "s", "t", "u"],
    ),
    exact(
        "pthread_barrierattr_init pthread_barrierattr_destroy pthread_barrierattr_setpshared \
         pthread_barrierattr_getpshared",
        "pthread_barrierattr_t a; int s = 7; pthread_barrierattr_init(&a); int r = pthread_barrierattr_setpshared(&a, $n); pthread_barrierattr_getpshared(&a, &s);",
        &["r", "s", "pthread_barrierattr_destroy(&a)"],
    ),
    exact(
        "pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_settype \
         pthread_mutexattr_gettype pthread_mutexattr_setpshared pthread_mutexattr_getpshared",
        "pthread_mutexattr_t a; int s = 7, t = 7; pthread_mutexattr_init(&a); int r = pthread_mutexattr_setpshared(&a, $n), q = pthread_mutexattr_settype(&a, $m); pthread_mutexattr_getpshared(&a, &s); pthread_mutexattr_gettype(&a, &t);",
        &["r", "q", "s", "t", "pthread_mutexattr_destroy(&a)"],
    ),
    exact(
        "pthread_mutexattr_getprotocol pthread_mutexattr_setprioceiling \
         pthread_mutexattr_getprioceiling",
        "pthread_mutexattr_t a; int s = 7, t = 7, u = 7; pthread_mutexattr_init(&a); pthread_mutexattr_getprioceiling(&a, &u); int q = pthread_mutexattr_setprioceiling(&a, $i); pthread_mutexattr_getprotocol(&a, &s); pthread_mutexattr_getprioceiling(&a, &t);",
        &["q", "s", "t", "u"],
    ),
    exact(
        "pthread_mutexattr_setrobust pthread_mutexattr_getrobust pthread_mutexattr_setrobust_np \
         pthread_mutexattr_getrobust_np",
        "pthread_mutexattr_t a; int s = 7, t = 7; pthread_mutexattr_init(&a); int r = pthread_mutexattr_setrobust(&a, $n); pthread_mutexattr_getrobust(&a, &s); pthread_mutexattr_settype(&a, 1); pthread_mutexattr_getrobust(&a, &t);",
        &["r", "s", "t"],
    ),
    exact(
        "pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_mutex_destroy",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); int b = pthread_mutex_destroy(&m); pthread_mutex_unlock(&m); int d = pthread_mutex_destroy(&m);",
        &[
            "b",
            "d",
            "pthread_mutex_lock(&m)",
            "pthread_mutex_trylock(&m)",
            "pthread_mutex_unlock(&m)",
        ],
    ),
    exact(
        "pthread_mutex_init pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock \
         pthread_mutex_destroy",
        "pthread_mutex_t m; int i = pthread_mutex_init(&m, 0), l = pthread_mutex_lock(&m), t = pthread_mutex_trylock(&m), u = pthread_mutex_unlock(&m), v = pthread_mutex_trylock(&m); pthread_mutex_unlock(&m);",
        &["i", "l", "t", "u", "v", "pthread_mutex_destroy(&m)"],
    ),
    exact(
        "pthread_mutex_lock pthread_mutex_timedlock pthread_mutex_clocklock",
        "pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; struct timespec z = { 0, 0 }; pthread_mutex_lock(&m); int a = pthread_mutex_lock(&m), b = pthread_mutex_timedlock(&m, &z), c = pthread_mutex_clocklock(&m, CLOCK_REALTIME, &z), d = pthread_mutex_trylock(&m), k = pthread_mutex_clocklock(&m, 77, &z); for (int i = 0; i < 5; i++) pthread_mutex_unlock(&m);",
        &["a", "b", "c", "d", "k", "pthread_mutex_unlock(&m)"],
    ),
    exact(
        "pthread_mutex_lock pthread_mutex_timedlock pthread_mutex_clocklock",
        "pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP; struct timespec z = { 0, 0 }; pthread_mutex_lock(&m); int a = pthread_mutex_lock(&m), b = pthread_mutex_timedlock(&m, &z), c = pthread_mutex_clocklock(&m, CLOCK_REALTIME, &z), d = pthread_mutex_trylock(&m); pthread_mutex_unlock(&m);",
        &["a", "b", "c", "d", "pthread_mutex_unlock(&m)"],
    ),
    open(
        "pthread_mutex_timedlock pthread_mutex_clocklock",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; struct timespec z = { 0, 0 }, w = { 0, -1 }; pthread_mutex_lock(&m); int a = pthread_mutex_timedlock(&m, &z), b = pthread_mutex_timedlock(&m, &w), c = pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &z);",
        &["a", "b", "c"],
    ),
    exact(
        "pthread_mutex_consistent pthread_mutex_consistent_np",
        "static pthread_mutex_t m; pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_setrobust(&a, 1); pthread_mutexattr_settype(&a, $n % 3); pthread_mutex_init(&m, &a); int u = pthread_mutex_unlock(&m), l = pthread_mutex_lock(&m), t = pthread_mutex_trylock(&m), c = pthread_mutex_consistent(&m);",
        &["u", "l", "t", "c", "pthread_mutex_unlock(&m)"],
    ),
    exact(
        "pthread_rwlock_init pthread_rwlock_destroy pthread_rwlock_rdlock pthread_rwlock_wrlock \
         pthread_rwlock_tryrdlock pthread_rwlock_trywrlock pthread_rwlock_unlock",
        "pthread_rwlock_t l; int i = pthread_rwlock_init(&l, 0), a = pthread_rwlock_rdlock(&l), b = pthread_rwlock_tryrdlock(&l), c = pthread_rwlock_trywrlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l); int d = pthread_rwlock_wrlock(&l), e = pthread_rwlock_tryrdlock(&l), f = pthread_rwlock_trywrlock(&l), g = pthread_rwlock_unlock(&l);",
        &[
            "i",
            "a",
            "b",
            "c",
            "d",
            "e",
            "f",
            "g",
            "pthread_rwlock_destroy(&l)",
        ],
    ),
    open(
        "pthread_rwlock_wrlock pthread_rwlock_rdlock",
        "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; pthread_rwlock_wrlock(&l); int a = pthread_rwlock_wrlock(&l), b = pthread_rwlock_rdlock(&l);",
        &["a", "b"],
    ),
    open(
        "pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock pthread_rwlock_clockrdlock \
         pthread_rwlock_clockwrlock",
        "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; struct timespec z = { 0, 0 }, w = { 0, -1 }; pthread_rwlock_rdlock(&l); int a = pthread_rwlock_timedwrlock(&l, &z), b = pthread_rwlock_timedrdlock(&l, &w), c = pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &z), d = pthread_rwlock_clockrdlock(&l, 77, &z);",
        &["a", "b", "c", "d"],
    ),
    exact(
        "pthread_spin_init pthread_spin_destroy pthread_spin_lock pthread_spin_trylock \
         pthread_spin_unlock",
        "pthread_spinlock_t l; int i = pthread_spin_init(&l, 0), a = pthread_spin_lock(&l), b = pthread_spin_trylock(&l), c = pthread_spin_unlock(&l), d = pthread_spin_trylock(&l);",
        &["i", "a", "b", "c", "d", "pthread_spin_destroy(&l)"],
    ),
    exact(
        "pthread_cond_init pthread_cond_destroy pthread_cond_signal pthread_cond_broadcast",
        "pthread_cond_t c; int i = pthread_cond_init(&c, 0), s = pthread_cond_signal(&c), b = pthread_cond_broadcast(&c);",
        &["i", "s", "b", "pthread_cond_destroy(&c)"],
    ),
    open(
        "pthread_cond_timedwait pthread_cond_clockwait",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; struct timespec z = { 0, 0 }, w = { 0, -1 }; pthread_mutex_lock(&m); int a = pthread_cond_timedwait(&c, &m, &z), b = pthread_cond_timedwait(&c, &m, &w), d = pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &z);",
        &["a", "b", "d", "pthread_mutex_trylock(&m)"],
    ),
    exact(
        "pthread_barrier_init pthread_barrier_destroy pthread_barrier_wait",
        "pthread_barrier_t b; int z = pthread_barrier_init(&b, 0, 0), i = pthread_barrier_init(&b, 0, 1), w = pthread_barrier_wait(&b), v = pthread_barrier_wait(&b);",
        &["z", "i", "w", "v", "pthread_barrier_destroy(&b)"],
    ),
    exact(
        "pthread_key_create pthread_key_delete pthread_getspecific pthread_setspecific",
        "pthread_key_t k, l; int c = pthread_key_create(&k, 0); void *before = pthread_getspecific(k); int s = pthread_setspecific(k, &k); void *after = pthread_getspecific(k); int d = pthread_key_delete(k), t = pthread_setspecific(k, &k), e = pthread_key_delete(k); pthread_key_create(&l, 0); void *fresh = pthread_getspecific(l); pthread_key_delete(l);",
        &[
            "c",
            "before == 0",
            "s",
            "after == &k",
            "d",
            "t",
            "e",
            "fresh == 0",
            "pthread_key_delete(9999)",
        ],
    ),
    exact(
        "tss_create tss_delete tss_get tss_set",
        "tss_t k; int c = tss_create(&k, 0); int s = tss_set(k, &k); void *after = tss_get(k); tss_delete(k);",
        &["c", "s", "after == &k"],
    ),
    exact(
        "sem_init sem_destroy sem_wait sem_trywait sem_post sem_getvalue",
        "sem_t s; int v = 9; errno = 0; int i = sem_init(&s, 0, 1), w = sem_wait(&s), t = sem_trywait(&s), e = errno, p = sem_post(&s), u = sem_trywait(&s); sem_post(&s); sem_post(&s); sem_getvalue(&s, &v);",
        &["i", "w", "t", "e", "p", "u", "v", "sem_destroy(&s)"],
    ),
    exact(
        "sem_init sem_post",
        "sem_t s; errno = 0; int i = sem_init(&s, 0, 3000000000u), e = errno, j = sem_init(&s, 0, 2147483647), p = sem_post(&s), f = errno;",
        &["i", "e", "j", "p", "f"],
    ),
    open(
        "sem_timedwait sem_clockwait",
        "sem_t s; struct timespec z = { 0, 0 }, w = { 0, -1 }; sem_init(&s, 0, 0); errno = 0; int a = sem_timedwait(&s, &z), e = errno, b = sem_timedwait(&s, &w), f = errno, c = sem_clockwait(&s, CLOCK_MONOTONIC, &z);",
        &["a", "e", "b", "f", "c"],
    ),
    exact(
        "mtx_init mtx_lock mtx_trylock mtx_unlock mtx_destroy",
        "mtx_t m; int i = mtx_init(&m, mtx_plain), l = mtx_lock(&m), t = mtx_trylock(&m), u = mtx_unlock(&m); mtx_destroy(&m); mtx_t r; mtx_init(&r, mtx_plain | mtx_recursive); mtx_lock(&r); int v = mtx_trylock(&r);",
        &["i", "l", "t", "u", "v"],
    ),
    open(
        "mtx_timedlock cnd_timedwait",
        "mtx_t m; cnd_t c; struct timespec z = { 0, 0 }; mtx_init(&m, mtx_timed); cnd_init(&c); mtx_lock(&m); int a = mtx_timedlock(&m, &z), b = cnd_timedwait(&c, &m, &z);",
        &["a", "b"],
    ),
    exact(
        "cnd_init cnd_destroy cnd_signal cnd_broadcast",
        "cnd_t c; int i = cnd_init(&c), s = cnd_signal(&c), b = cnd_broadcast(&c); cnd_destroy(&c);",
        &["i", "s", "b"],
    ),
    exact(
        "pthread_self pthread_equal thrd_current thrd_equal",
        "pthread_t a = pthread_self(), b = pthread_self(); thrd_t c = thrd_current();",
        &["!pthread_equal(a, b)", "!thrd_equal(c, c)"],
    ),
    exact(
        "pthread_setname_np",
        "int r = pthread_setname_np(pthread_self(), $s), q = pthread_setname_np(pthread_self(), \"0123456789abcdef\");",
        &["r", "q"],
    ),
    open(
        "pthread_getname_np",
        "char b[20] = \"#\"; int r = pthread_getname_np(pthread_self(), b, 20), q = pthread_getname_np(pthread_self(), b, 3);",
        &["r", "q", "b[0] != 0"],
    ),
];
