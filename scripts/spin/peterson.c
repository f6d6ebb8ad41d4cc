/* Peterson's algorithm for N threads (the filter lock), for ever. The Promela model peterson.pml is
 * its counterpart: both have one step for each access to shared memory. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif

static unsigned char level[N];
static unsigned char last[N];
static unsigned char inside;

static void *process(void *arg)
{
    unsigned char me = (unsigned char)(long)arg;
    for (;;) {
        for (unsigned char l = 1; l < N; l++) {
            level[me] = l;
            last[l] = me;
            for (unsigned char k = 0; k < N; k++)
                if (k != me)
                    while (level[k] >= l && last[l] == me)
                        ;
        }
        inside = me;
        assert(inside == me);
        level[me] = 0;
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
