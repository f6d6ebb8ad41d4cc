/* `memcpy` is not one step: a reader sees half of it. */
#include <string.h>
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int source[2] = {1, 1}, target[2];

static void *first(void *arg) { memcpy(target, source, sizeof target); return arg; }
static void *second(void *arg)
{
    __VERIFIER_atomic_begin();
    int early = target[0], late = target[1];
    __VERIFIER_atomic_end();
    assert(early == late);
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
