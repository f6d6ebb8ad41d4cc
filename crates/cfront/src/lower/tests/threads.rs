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
        expect![[r#"
            stack t[8]
            stack r[8]

            proc f(a: bv64) -> result: bv64 init L7 exit L1
              L7 -> L1: result := a

            proc main() -> result: bv32 init L8 exit L2
              L8 -> L9: &t := alloc t[8]
              L9 -> L10: &r := alloc r[8]
              L10 -> L11: t8 := start thread f(0); *&t :=8 t8
              L11 -> L12: t9 := *&t
              L12 -> L13: t10 := join t9
              L13 -> L14: *&r :=8 t10
              L14 -> L15: t11 := *&r
              L15 -> L16: result := ((t11 == 0) ? 0 : 1)
              L16 -> L17: dealloc r
              L17 -> L2: dealloc t

            proc thread f(arg: bv64) init L18 exit L3
              L18 -> L19: t12 := call f(arg)
              L19 -> L20: thread_exit t12
        "#]],
    );
}

#[test]
fn results_that_nobody_reads_are_dropped() {
    check_threads(
        "void *f(void *a) { } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
         return pthread_join(t, 0); }",
        expect![[r#"
            stack t[8]

            proc f(a: bv64) -> result: bv64 init L7 exit L1
              L7 -> L1: result := uninitialised

            proc main() -> result: bv32 init L8 exit L2
              L8 -> L9: &t := alloc t[8]
              L9 -> L10: t6 := start thread f(0); *&t :=8 t6
              L10 -> L11: t7 := *&t
              L11 -> L12: join t7
              L12 -> L13: result := 0
              L13 -> L2: dealloc t

            proc thread f(arg: bv64) init L14 exit L3
              L14 -> L15: call f(arg)
              L15 -> L16: thread_exit 0
        "#]],
    );
}

#[test]
fn a_start_routine_in_a_variable() {
    check_threads(
        "void *f(void *a) { return 0; } void *g(void *a) { pthread_exit(a); } int no(int a, int b) { return a; }
         void *(*s[2])(void *) = { f, g }; int (*n)(int, int) = no;
         int main(void) { pthread_t t; return pthread_create(&t, 0, s[1], 0) + n(1, 2); }",
        expect![[r#"
            global n: bv64 = &no
            static s[16] +0=&f +8=&g
            stack t[8]

            proc f(a: bv64) -> result: bv64 init L10 exit L1
              L10 -> L1: result := 0

            proc g(a: bv64) -> result: bv64 init L11 exit L2
              L11 -> L12: thread_exit a

            proc no(a: bv32, b: bv32) -> result: bv32 init L13 exit L3
              L13 -> L3: result := a

            proc main() -> result: bv32 init L14 exit L4
              L14 -> L15: &t := alloc t[8]
              L15 -> L16: t13 := *(&s + 8)
              L16 -> L17: assume (&f == t13); t14 := start thread f(0); *&t :=8 t14
              L16 -> L17: assume (&g == t13); t14 := start thread g(0); *&t :=8 t14
              L17 -> L18: t15 := n
              L18 -> L19: t16 := call (*t15)(1, 2)
              L19 -> L20: result := t16
              L20 -> L4: dealloc t

            proc thread f(arg: bv64) init L21 exit L5
              L21 -> L22: call f(arg)
              L22 -> L23: thread_exit 0

            proc thread g(arg: bv64) init L24 exit L6
              L24 -> L25: call g(arg)
              L25 -> L26: thread_exit 0
            assumed: test.c:14: operands are evaluated from left to right, though their order is open
        "#]],
    );
}

#[test]
fn thread_local_storage() {
    check_threads(
        "__thread int x = 1; __thread int a[2] = { 0, 5 };
         void *f(void *p) { x++; a[1] = x; return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return a[0]; }",
        expect![[r#"
            thread_local x: bv32 = 1
            thread_local &a: bv64
            stack a[8]
            stack t[8]

            proc f(p: bv64) -> result: bv64 init L10 exit L1
              L10 -> L11: t8 := x
              L11 -> L12: x := (t8 + 1)
              L12 -> L13: t9 := &a
              L13 -> L14: t10 := x
              L14 -> L15: *(t9 + 4) :=4 t10
              L15 -> L1: result := 0

            proc main() -> result: bv32 init L16 exit L2
              L16 -> L17: &t := alloc t[8]
              L17 -> L18: t12 := start thread f(0); *&t :=8 t12
              L18 -> L19: t13 := &a
              L19 -> L20: t14 := *t13
              L20 -> L21: result := t14
              L21 -> L2: dealloc t

            proc thread f(arg: bv64) init L22 exit L3
              L22 -> L23: &a := alloc a[8] zeroed
              L23 -> L24: t15 := &a
              L24 -> L25: *(t15 + 4) :=4 5
              L25 -> L26: call f(arg)
              L26 -> L27: dealloc a
              L27 -> L28: thread_exit 0
        "#]],
    );
}

#[test]
fn mutexes() {
    check_threads(
        "pthread_mutex_t m; pthread_rwlock_t r;
         int main(void) { pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); pthread_mutex_unlock(&m);
         pthread_rwlock_rdlock(&r); pthread_rwlock_unlock(&r);
         return pthread_mutex_trylock(&m) + pthread_rwlock_trywrlock(&r); }",
        expect![[r#"
            static m[40]
            static r[56]

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: *&m :=4 0
              L6 -> L7: atomic lock &m
              L7 -> L8: atomic unlock &m
              L8 -> L9: atomic lock_read &r; t4 := 0
              L8 -> L9: atomic t2 := *&r; assume (t2 == bits31_0(self)); t4 := 35
              L8 -> L10: atomic t2 := *&r; assume (t2 == bits31_0(self)); t3 := external pthread_rwlock_rdlock(); assume t3
              L9 -> L11: atomic unlock_write &r
              L10 -> L9: atomic lock_read &r; t4 := 0
              L11 -> L12: atomic lock &m; t6 := 0
              L11 -> L12: atomic t5 := *&m; assume (t5 != 0); t6 := 16
              L12 -> L13: atomic lock_write &r; t9 := 0
              L12 -> L13: atomic t7 := *&r; t8 := *(&r + 4); assume ((t7 != 0) || (t8 != 0)); t9 := 16
              L13 -> L1: result := (t6 + t9)
            assumed: test.c:15: operands are evaluated from left to right, though their order is open
        "#]],
    );
}

#[test]
fn condition_variables() {
    check_threads(
        "pthread_mutex_t m; pthread_cond_t c;
         int main(void) { pthread_cond_wait(&c, &m); pthread_cond_signal(&c);
         pthread_cond_broadcast(&c); return pthread_cond_timedwait(&c, &m, 0); }",
        expect![[r#"
            static m[40]
            static c[48]

            proc main() -> result: bv32 init L7 exit L1
              L7 -> L8: atomic unlock &m; wait &c
              L8 -> L9: atomic await_signal; lock &m
              L9 -> L10: atomic signal &c
              L10 -> L11: atomic broadcast &c
              L11 -> L12: t8 := call pthread_cond_timedwait(&c, &m, 0)
              L12 -> L1: result := t8

            proc is_moment(until: bv64) -> result: bv8 init L13 exit L2
              L13 -> L14: t10 := *(until + 8)
              L14 -> L15: nanoseconds := t10
              L15 -> L2: result := (((0 <= nanoseconds) && (nanoseconds < 1000000000)) ? 1 : 0)

            proc pthread_cond_timedwait(cond: bv64, mutex: bv64, until: bv64) -> result: bv32 init L16 exit L3
              L16 -> L20: t12 := call is_moment(until)
              L17 -> L21: t13 := cond
              L18 -> L19: t11 := 22
              L19 -> L3: result := t11
              L20 -> L17: assume (t12 != 0)
              L20 -> L18: assume (t12 == 0)
              L21 -> L22: t14 := mutex
              L22 -> L23: atomic unlock t14; wait t13
              L23 -> L24: atomic await_signal; lock t14; t15 := 0
              L23 -> L24: atomic await_signal_or_timeout; lock t14; t15 := 110
              L24 -> L19: t11 := t15
        "#]],
    );
}
