/* Coherence: two reads of one variable never go back in time. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *first(void *arg) { x = 1; x = 2; return arg; }
static void *second(void *arg)
{
    int before = x;
    int after = x;
    assert(before <= after);
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
