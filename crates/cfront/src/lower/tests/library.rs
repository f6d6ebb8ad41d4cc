//! Library units in C.

use super::{check, lowered};
use crate::LowerOptions;
use expect_test::expect;

#[test]
fn semaphores_are_single_steps() {
    check(
        "typedef union { char size[32]; long align; } sem_t; int sem_wait(sem_t *); int sem_post(sem_t *);
         sem_t s; int main(void) { sem_wait(&s); return sem_post(&s); }",
        expect![[""]],
    );
}

#[test]
fn barriers() {
    check(
        "typedef union { char size[32]; long align; } pthread_barrier_t;
         int pthread_barrier_wait(pthread_barrier_t *);
         pthread_barrier_t b; int main(void) { return pthread_barrier_wait(&b); }",
        expect![[""]],
    );
}

#[test]
fn once() {
    check(
        "int pthread_once(int *, void (*)(void)); int done, x; void init(void) { x = 1; }
         int main(void) { return pthread_once(&done, init); }",
        expect![[""]],
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
        assert_eq!(xcfa.assumptions, ["`argc` is arbitrary"; 0]);
        // Only the program's own arithmetic is checked, and it has none.
        assert!(xcfa.locs.iter().all(|loc| loc.error.is_none()));
    }
}

#[test]
fn a_function_that_the_program_defines_is_not_modelled() {
    check(
        "int strlen(char *s) { return 3; } int main(void) { return strlen(\"x\"); }",
        expect![[""]],
    );
}
