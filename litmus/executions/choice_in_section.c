/* An input inside an atomic section, while main looks whether both threads are done. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);

int x, done;

void *left(void *arg) {
    x = 1;
    done++;
    return arg;
}

void *right(void *arg) {
    __VERIFIER_atomic_begin();
    _Bool c = __VERIFIER_nondet_bool();
    x = c;
    __VERIFIER_atomic_end();
    done++;
    return arg;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, 0, left, 0);
    pthread_create(&r, 0, right, 0);
    __VERIFIER_assume(done == 2);
    assert(x == 0 || x == 1);
}
