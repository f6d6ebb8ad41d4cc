/* Threads that have nothing to do with each other: one execution. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 6
#endif

int slot[N];

void *worker(void *arg) {
    int i = (int)(long)arg;
    slot[i] = i;
    slot[i] += i;
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
