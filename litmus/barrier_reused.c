/* A barrier can be used again at once: rounds do not mix. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int round_of[2];

static void *worker(void *arg)
{
    long me = (long)arg;
    for (int i = 1; i <= 2; i++) {
        round_of[me] = i;
        pthread_barrier_wait(&barrier);
        assert(round_of[1 - me] >= i);
        pthread_barrier_wait(&barrier);
    }
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_barrier_init(&barrier, 0, 2);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
