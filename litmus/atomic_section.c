/* Increments inside atomic sections are not lost. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x;

static void *first(void *arg)
{
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    return arg;
}

static void *second(void *arg) { return first(arg); }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
