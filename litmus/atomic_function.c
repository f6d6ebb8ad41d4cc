/* A function whose name starts with `__VERIFIER_atomic_` is an atomic section. */
#include <assert.h>
#include <pthread.h>

static int x, y;

static void __VERIFIER_atomic_both(void)
{
    x++;
    y++;
}

static void *first(void *arg) { __VERIFIER_atomic_both(); return arg; }
static void __VERIFIER_atomic_check(void) { assert(x == y); }
static void *second(void *arg) { __VERIFIER_atomic_check(); return arg; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
