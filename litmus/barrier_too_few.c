/* A barrier for three that only two reach. */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;

static void *first(void *arg) { pthread_barrier_wait(&barrier); return arg; }
static void *second(void *arg) { pthread_barrier_wait(&barrier); return arg; }

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&barrier, 0, 3);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(0);
    return 0;
}
