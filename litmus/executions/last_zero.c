/* The last zero of an array, searched while others count up: each worker reads its left neighbour and
   writes its own cell. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

int array[N + 1];

void *worker(void *arg) {
    int i = (int)(long)arg;
    array[i] = array[i - 1] + 1;
    return 0;
}

void *search(void *arg) {
    int i = N;
    while (array[i] != 0)
        i--;
    return arg;
}

int main(void) {
    pthread_t t[N + 1];
    pthread_create(&t[0], 0, search, 0);
    for (long i = 1; i <= N; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i <= N; i++)
        pthread_join(t[i], 0);
    return 0;
}
