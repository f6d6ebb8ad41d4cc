/* An atomic counter: the order of its increments is all that matters. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

int x;

void *worker(void *arg) {
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(x == N);
}
