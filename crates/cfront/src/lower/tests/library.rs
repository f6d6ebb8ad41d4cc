//! Library units in C.

use super::{check, lowered};
use crate::LowerOptions;
use expect_test::expect;

#[test]
fn semaphores_are_single_steps() {
    check(
        "typedef union { char size[32]; long align; } sem_t; int sem_wait(sem_t *); int sem_post(sem_t *);
         sem_t s; int main(void) { sem_wait(&s); return sem_post(&s); }",
        expect![[r#"
            thread_local &error_number: bv64
            static s[32]
            stack error_number[4]

            proc main() -> result: bv32 init L10 exit L1
              L10 -> L11: call sem_wait(&s)
              L11 -> L12: t9 := call sem_post(&s)
              L12 -> L1: result := t9

            proc wait_unless_cancelled(sem: bv64) init L13 exit L2
              L13 -> L14: t11 := external wait_unless_cancelled()
              L14 -> L15: prefers := (t11 ? 1 : 0)
              L15 -> L16: atomic t13 := *sem; value := t13; cancelled := 0; await ((((0 <u value) ? 1 : 0) | cancelled) != 0); *sem :=4 ((cancelled == 0) ? (value + -1) : value)
              L16 -> L2: assume (cancelled != 0)
              L16 -> L2: assume (cancelled == 0)

            proc sem_wait(sem: bv64) -> result: bv32 init L17 exit L3
              L17 -> L18: atomic t16 := *sem; value := t16; await (0 <u value); *sem :=4 (value + -1)
              L18 -> L3: result := 0

            proc sem_post(sem: bv64) -> result: bv32 init L19 exit L4
              L19 -> L20: atomic t18 := *sem; value := t18; *sem :=4 ((value <u 2147483647) ? (value + 1) : value)
              L20 -> L21: assume (2147483647 <=u value)
              L20 -> L22: assume !(2147483647 <=u value)
              L21 -> L23: t19 := call __errno_location()
              L22 -> L4: result := 0
              L23 -> L24: *t19 :=4 75
              L24 -> L4: result := -1

            proc __errno_location() -> result: bv64 init L25 exit L5
              L25 -> L26: t20 := &error_number
              L26 -> L5: result := t20
        "#]],
    );
}

#[test]
fn barriers() {
    check(
        "typedef union { char size[32]; long align; } pthread_barrier_t;
         int pthread_barrier_wait(pthread_barrier_t *);
         pthread_barrier_t b; int main(void) { return pthread_barrier_wait(&b); }",
        expect![[r#"
            static b[32]

            proc main() -> result: bv32 init L6 exit L1
              L6 -> L7: t4 := call pthread_barrier_wait(&b)
              L7 -> L1: result := t4

            proc pthread_barrier_wait(barrier: bv64) -> result: bv32 init L8 exit L2
              L8 -> L9: t6 := *barrier
              L9 -> L10: count := t6
              L10 -> L11: atomic t8 := *(barrier + 8); before := t8; arrived := (bits31_0(before) + 1); round := bits31_0((before >>u 32)); *(barrier + 8) :=8 ((arrived == count) ? (zext64((round + 1)) << 32) : (before + 1))
              L11 -> L12: assume (arrived == count)
              L11 -> L13: assume (arrived != count)
              L12 -> L2: result := -1
              L13 -> L14: atomic t12 := *(barrier + 8); now := t12; await (round != bits31_0((now >>u 32)))
              L14 -> L2: result := 0
        "#]],
    );
}

#[test]
fn once() {
    check(
        "int pthread_once(int *, void (*)(void)); int done, x; void init(void) { x = 1; }
         int main(void) { return pthread_once(&done, init); }",
        expect![[r#"
            global x: bv32 = 0
            static done[4]

            proc init() init L7 exit L1
              L7 -> L1: x := 1

            proc main() -> result: bv32 init L8 exit L2
              L8 -> L9: t6 := call pthread_once(&done, &init)
              L9 -> L2: result := t6

            proc pthread_once(once: bv64, routine: bv64) -> result: bv32 init L10 exit L3
              L10 -> L11: atomic t8 := *once; state := t8; *once :=4 ((state == 0) ? 1 : state)
              L11 -> L12: assume (state == 0)
              L11 -> L13: assume (state != 0)
              L12 -> L14: call (*routine)()
              L13 -> L16: atomic t9 := *once; state := t9; await (state == 2)
              L14 -> L15: atomic *once :=4 2
              L15 -> L3: result := 0
              L16 -> L3: result := 0
        "#]],
    );
}

/// Everything that a unit defines, called once.
#[test]
fn every_unit_lowers() {
    let program = "
        int sem_init(void *, int, unsigned); int sem_destroy(void *); int sem_wait(void *);
        int sem_trywait(void *); int sem_timedwait(void *, void *); int sem_post(void *);
        int sem_getvalue(void *, int *);
        int pthread_barrier_init(void *, void *, unsigned); int pthread_barrier_wait(void *);
        int pthread_once(void *, void (*)(void)); void call_once(void *, void (*)(void));
        int pthread_key_create(unsigned *, void (*)(void *)); int pthread_key_delete(unsigned);
        void *pthread_getspecific(unsigned); int pthread_setspecific(unsigned, const void *);
        int pthread_mutexattr_init(void *); int pthread_mutexattr_settype(void *, int);
        int pthread_mutex_init(void *, void *); int pthread_mutex_lock(void *);
        int pthread_mutex_trylock(void *); int pthread_mutex_timedlock(void *, void *);
        int pthread_mutex_unlock(void *); int pthread_mutex_destroy(void *);
        int mtx_init(void *, int); int mtx_lock(void *); int mtx_trylock(void *);
        int mtx_timedlock(void *, void *); int mtx_unlock(void *); void mtx_destroy(void *);
        unsigned long strlen(char *); int strcmp(char *, char *); char *strdup(char *);
        char *strcpy(char *, char *); char *strncpy(char *, char *, unsigned long);
        char *strcat(char *, char *); char *strchr(char *, int); char *strstr(char *, char *);
        int strncmp(char *, char *, unsigned long); int memcmp(void *, void *, unsigned long);
        void *memcpy(void *, void *, unsigned long); void *memmove(void *, void *, unsigned long);
        int *__errno_location(void); int tss_create(unsigned *, void (*)(void *)); void *tss_get(unsigned);
        long s[9]; unsigned k; char a[9], b[9]; void init(void) { } void destroy(void *p) { }
        int main(int argc, char **argv) {
            int v; sem_init(s, 0, 1); sem_destroy(s); sem_wait(s); sem_trywait(s);
            sem_timedwait(s, 0); sem_post(s); sem_getvalue(s, &v); pthread_barrier_init(s, 0, 2);
            pthread_barrier_wait(s); pthread_once(s, init); call_once(s, init);
            pthread_key_create(&k, destroy); pthread_key_delete(k); pthread_setspecific(k, s);
            pthread_getspecific(k); pthread_mutexattr_init(s); pthread_mutexattr_settype(s, 1);
            pthread_mutex_init(s, 0); pthread_mutex_lock(s); pthread_mutex_trylock(s);
            pthread_mutex_timedlock(s, 0); pthread_mutex_unlock(s); pthread_mutex_destroy(s);
            mtx_init(s, 1); mtx_lock(s); mtx_trylock(s); mtx_timedlock(s, 0); mtx_unlock(s);
            mtx_destroy(s); strlen(a); strcmp(a, b); strdup(a); strcpy(a, b); strncpy(a, b, 3);
            strcat(a, b); strchr(a, 'x'); strstr(a, b); strncmp(a, b, 2); memcmp(a, b, 3);
            memcpy(a, b, argc); memmove(a, b, argc); tss_create(&k, 0); tss_get(k);
            return *__errno_location();
        }";
    for overflow_checks in [false, true] {
        let options = LowerOptions {
            overflow_checks,
            ..LowerOptions::default()
        };
        let xcfa = lowered(program, &options).expect("every unit lowers");
        assert!(xcfa.assumptions.is_empty(), "{:?}", xcfa.assumptions);
        // Only the program's own arithmetic is checked, and it has none.
        assert!(xcfa.locs.iter().all(|loc| loc.error.is_none()));
    }
}

#[test]
fn a_function_that_the_program_defines_is_not_modelled() {
    check(
        "int strlen(char *s) { return 3; } int main(void) { return strlen(\"x\"); }",
        expect![[r#"
            static "x"[2] +0=120

            proc strlen(s: bv64) -> result: bv32 init L6 exit L1
              L6 -> L1: result := 3

            proc main() -> result: bv32 init L7 exit L2
              L7 -> L8: t4 := call strlen(&"x")
              L8 -> L2: result := t4
        "#]],
    );
}
