/* N threads take turns by tickets, for ever. The Promela model tickets.pml is its counterpart: both have one step
 * for each access to shared memory. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif

static unsigned char next;
static unsigned char serving;
static unsigned char inside;

static void *process(void *arg)
{
    unsigned char me = (unsigned char)(long)arg;
    for (;;) {
        unsigned char mine = __atomic_fetch_add(&next, 1, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&serving, __ATOMIC_SEQ_CST) != mine)
            ;
        inside = me;
        assert(inside == me);
        __atomic_store_n(&serving, mine + 1, __ATOMIC_SEQ_CST);
    }
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, process, (void *)i);
    pthread_join(threads[0], 0);
    return 0;
}
