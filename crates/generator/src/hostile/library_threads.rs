//! Results of the thread library: what lock functions return to the holder of the lock, and which
//! destructors run when a thread ends.

use super::Source;
use super::library::beginning;
use crate::Rng;

/// Calls on a mutex or a reader-writer lock, none of which blocks, and their results.
pub fn mutexes(rng: &mut Rng) -> Source {
    match rng.below(4) {
        0 => read_write(rng),
        1 => robust(rng),
        2 => attributes(rng),
        _ => held(rng),
    }
}

const PAST: &str = "struct timespec past;\npthread_mutex_t m;\npthread_rwlock_t l;";

/// One thread and one mutex of some kind.
fn held(rng: &mut Rng) -> Source {
    let mut source = beginning();
    source.line(PAST);
    let kind = rng.pick(&["NORMAL", "ERRORCHECK", "RECURSIVE", "DEFAULT"]);
    source.line("int main(void)\n{\n    pthread_mutexattr_t a;\n    pthread_mutexattr_init(&a);");
    source.line(format!(
        "    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_{kind});\n    pthread_mutex_init(&m, &a);"
    ));
    let mut depth = 0usize;
    for _ in 0..rng.between(2, 6) {
        let (call, change) = mutex_call(rng, kind, depth);
        depth = depth.saturating_add_signed(change);
        source.line(format!("    check({call});"));
    }
    source.line(format!("    check({depth});\n    return 0;\n}}"));
    source
}

/// A call that comes back, and by how much it changes how often the mutex is held.
fn mutex_call(rng: &mut Rng, kind: &str, depth: usize) -> (&'static str, isize) {
    let recursive = kind == "RECURSIVE";
    let plain = matches!(kind, "NORMAL" | "DEFAULT");
    let taken = isize::from(depth == 0 || recursive);
    let timed = [
        "pthread_mutex_timedlock(&m, &past)",
        "pthread_mutex_clocklock(&m, CLOCK_REALTIME, &past)",
    ];
    match rng.below(5) {
        // A thread that holds a plain mutex would wait for ever.
        0 | 1 if !(plain && depth > 0) => ("pthread_mutex_lock(&m)", taken),
        2 => ("pthread_mutex_trylock(&m)", taken),
        3 => (rng.pick(&timed), taken),
        // Unlocking a plain mutex that no thread holds is undefined.
        _ if plain && depth == 0 => ("pthread_mutex_trylock(&m)", taken),
        _ => ("pthread_mutex_unlock(&m)", -isize::from(depth > 0)),
    }
}

fn read_write(rng: &mut Rng) -> Source {
    let mut source = beginning();
    source.line(PAST);
    source.line("int main(void)\n{\n    pthread_rwlock_init(&l, 0);");
    let (mut readers, mut writer) = (0, false);
    for _ in 0..rng.between(2, 6) {
        let call = match rng.below(8) {
            0 if readers == 0 => {
                // The call reports a deadlock to the writer.
                writer = true;
                "pthread_rwlock_wrlock(&l)"
            }
            1 => {
                readers += u32::from(!writer);
                "pthread_rwlock_rdlock(&l)"
            }
            2 => {
                writer |= readers == 0;
                "pthread_rwlock_trywrlock(&l)"
            }
            3 => {
                readers += u32::from(!writer);
                "pthread_rwlock_tryrdlock(&l)"
            }
            // A thread that would wait for itself may get `EDEADLK` or `ETIMEDOUT`.
            4 if readers == 0 && !writer => {
                writer = true;
                "pthread_rwlock_timedwrlock(&l, &past)"
            }
            5 if !writer => {
                readers += 1;
                "pthread_rwlock_timedrdlock(&l, &past)"
            }
            _ if writer => {
                writer = false;
                "pthread_rwlock_unlock(&l)"
            }
            _ if readers > 0 => {
                readers -= 1;
                "pthread_rwlock_unlock(&l)"
            }
            _ => "pthread_rwlock_destroy(&l) + pthread_rwlock_init(&l, 0)",
        };
        source.line(format!("    check({call});"));
    }
    source.line("    check(1);\n    return 0;\n}");
    source
}

/// A thread ends with a robust mutex, and others find out.
fn robust(rng: &mut Rng) -> Source {
    let mut source = beginning();
    source.line(PAST);
    let end = rng.pick(&["return 0;", "pthread_exit(0);"]);
    source.line(format!(
        "void *t(void *arg)\n{{\n    check(pthread_mutex_lock(&m));\n    {end}\n}}"
    ));
    source.line("int main(void)\n{\n    pthread_t h;\n    pthread_mutexattr_t a;\n    pthread_mutexattr_init(&a);");
    source.line("    check(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST));\n    pthread_mutex_init(&m, &a);");
    source.line("    pthread_create(&h, 0, t, 0);\n    pthread_join(h, 0);");
    let first = rng.pick(&["lock(&m)", "trylock(&m)", "timedlock(&m, &past)"]);
    source.line(format!("    check(pthread_mutex_{first});"));
    let consistent = rng.chance(50);
    if consistent {
        source.line("    check(pthread_mutex_consistent(&m));");
    }
    source.line("    check(pthread_mutex_unlock(&m));");
    let second = rng.pick(&["lock(&m)", "trylock(&m)"]);
    source.line(format!(
        "    check(pthread_mutex_{second});\n    check(2);\n    return 0;\n}}"
    ));
    source
}

/// Attributes that are set to what is not allowed, and read again.
fn attributes(rng: &mut Rng) -> Source {
    let mut source = beginning();
    source.line("int main(void)\n{\n    int v = -1;\n    size_t s = 0;\n    pthread_attr_t t;\n    pthread_attr_init(&t);");
    source.line("    pthread_mutexattr_t a;\n    pthread_mutexattr_init(&a);\n    sem_t e;");
    let calls = [
        "check(pthread_attr_setdetachstate(&t, 77));",
        "check(pthread_attr_setdetachstate(&t, PTHREAD_CREATE_DETACHED));",
        "check(pthread_attr_getdetachstate(&t, &v)); check(v);",
        "check(pthread_attr_setstacksize(&t, 1));",
        "check(pthread_attr_setstacksize(&t, 1 << 20)); pthread_attr_getstacksize(&t, &s); check(s);",
        "check(pthread_mutexattr_settype(&a, 99));",
        "check(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE));",
        "check(pthread_mutexattr_gettype(&a, &v)); check(v);",
        "check(pthread_mutexattr_setpshared(&a, 5));",
        "check(pthread_mutexattr_getpshared(&a, &v)); check(v);",
        "check(pthread_mutexattr_setprotocol(&a, 77));",
        "check(pthread_mutexattr_setrobust(&a, 9));",
        "check(pthread_mutexattr_getrobust(&a, &v)); check(v);",
        "check(sem_init(&e, 0, 2)); check(sem_getvalue(&e, &v)); check(v);",
        "sem_init(&e, 0, 0); check(sem_trywait(&e)); check(errno == EAGAIN);",
        "sem_init(&e, 0, 1); check(sem_wait(&e)); sem_post(&e); sem_post(&e); sem_getvalue(&e, &v); check(v);",
        "check(pthread_equal(pthread_self(), pthread_self()) != 0);",
        "check(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &v)); check(v);",
        "check(pthread_setcanceltype(77, &v));",
    ];
    for _ in 0..rng.between(1, 4) {
        source.line(format!("    {}", rng.pick(&calls)));
    }
    source.line("    check(3);\n    return 0;\n}");
    source
}

/// Destructors of thread-specific values, which may set values again.
pub fn keys(rng: &mut Rng) -> Source {
    let mut source = beginning();
    source.line("pthread_key_t k, j;\nint runs;");
    let again = rng.pick(&[
        "",
        "if (runs < 2) pthread_setspecific(k, &runs);",
        "pthread_setspecific(k, &runs);",
        "if (runs == 1) pthread_setspecific(j, &runs);",
        "if (runs == 1) pthread_key_delete(j);",
        "if (runs == 1) { pthread_key_create(&j, 0); pthread_setspecific(j, value); }",
    ]);
    source.line(format!(
        "static void end(void *value)\n{{\n    runs++;\n    check(value != 0);\n    {again}\n}}"
    ));
    source.line("static void other(void *value)\n{\n    runs += 10;\n}");
    let value = rng.pick(&["&runs", "&runs", "0", "(void *)1"]);
    let end = rng.pick(&["return 0;", "pthread_exit(0);"]);
    let second = rng.pick(&["", "pthread_setspecific(j, &k);"]);
    source.line(format!(
        "void *t(void *arg)\n{{\n    check(pthread_getspecific(k) != 0);\n    check(pthread_setspecific(k, {value}));\n    {second}\n    \
         check(pthread_getspecific(k) == {value});\n    {end}\n}}"
    ));
    source.line("int main(void)\n{\n    pthread_t h;\n    check(pthread_key_create(&k, end));\n    check(pthread_key_create(&j, other));");
    if rng.chance(25) {
        source.line("    pthread_setspecific(k, &h);");
    }
    for _ in 0..rng.between(1, 2) {
        source.line("    pthread_create(&h, 0, t, 0);\n    pthread_join(h, 0);\n    check(runs);");
    }
    let last = rng.pick(&[
        "check(pthread_key_delete(k));",
        "check(pthread_key_delete(k)); check(pthread_key_delete(k));",
        "",
    ]);
    source.line(format!("    {last}"));
    let loops = rng.pick(&["", "for (int i = 0; i < 130; i++) { check(pthread_key_create(&j, 0)); pthread_key_delete(j); }"]);
    source.line(format!("    {loops}\n    check(4);\n    return 0;\n}}"));
    source
}
