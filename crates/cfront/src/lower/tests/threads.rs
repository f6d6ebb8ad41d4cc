//! Threads, thread-local storage, locks and condition variables.

use super::check;
use expect_test::expect;

const HEADER: &str = "
typedef unsigned long pthread_t; typedef union { int word[10]; } pthread_mutex_t;
typedef union { int word[12]; } pthread_cond_t; typedef union { int word[14]; } pthread_rwlock_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **); void pthread_exit(void *); pthread_t pthread_self(void);
int pthread_mutex_init(pthread_mutex_t *, const void *); int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *); int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const void *);
int pthread_cond_broadcast(pthread_cond_t *); int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_trywrlock(pthread_rwlock_t *); int pthread_rwlock_unlock(pthread_rwlock_t *);
";

fn check_threads(text: &str, expect: expect_test::Expect) {
    check(&format!("{HEADER}{text}"), expect);
}

#[test]
fn create_and_join() {
    check_threads(
        "void *f(void *a) { return a; }
         int main(void) { pthread_t t; void *r; pthread_create(&t, 0, f, 0); pthread_join(t, &r);
         return r != 0; }",
        expect![[""]],
    );
}

#[test]
fn results_that_nobody_reads_are_dropped() {
    check_threads(
        "void *f(void *a) { } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
         return pthread_join(t, 0); }",
        expect![[""]],
    );
}

#[test]
fn a_start_routine_in_a_variable() {
    check_threads(
        "void *f(void *a) { return 0; } void *g(void *a) { pthread_exit(a); } int no(int a, int b) { return a; }
         void *(*s[2])(void *) = { f, g }; int (*n)(int, int) = no;
         int main(void) { pthread_t t; return pthread_create(&t, 0, s[1], 0) + n(1, 2); }",
        expect![[""]],
    );
}

#[test]
fn thread_local_storage() {
    check_threads(
        "__thread int x = 1; __thread int a[2] = { 0, 5 };
         void *f(void *p) { x++; a[1] = x; return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return a[0]; }",
        expect![[""]],
    );
}

#[test]
fn mutexes() {
    check_threads(
        "pthread_mutex_t m; pthread_rwlock_t r;
         int main(void) { pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); pthread_mutex_unlock(&m);
         pthread_rwlock_rdlock(&r); pthread_rwlock_unlock(&r);
         return pthread_mutex_trylock(&m) + pthread_rwlock_trywrlock(&r); }",
        expect![[""]],
    );
}

#[test]
fn condition_variables() {
    check_threads(
        "pthread_mutex_t m; pthread_cond_t c;
         int main(void) { pthread_cond_wait(&c, &m); pthread_cond_signal(&c);
         pthread_cond_broadcast(&c); return pthread_cond_timedwait(&c, &m, 0); }",
        expect![[""]],
    );
}
