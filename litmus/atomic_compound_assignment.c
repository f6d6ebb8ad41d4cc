/* `+=` on an atomic variable is one step; `x = x + 1` is two. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int one_step, two_steps;

static void *first(void *arg)
{
    one_step += 1;
    two_steps = two_steps + 1;
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
    assert(one_step == 2);
    assert(two_steps >= 1);
    return 0;
}
