/* Atomic sections nest: the inner end does not let others in. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x, y;

static void *first(void *arg)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_atomic_end();
    y = 1;
    __VERIFIER_atomic_end();
    return arg;
}

static void *second(void *arg)
{
    __VERIFIER_atomic_begin();
    assert(x == y);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
