/* Threads enter messages into a hash table; below 12 threads no two hashes meet. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 11
#endif
#define SIZE 128
#define MESSAGES 4

int table[SIZE];

int claim(int *entry, int value) {
    return __sync_bool_compare_and_swap(entry, 0, value);
}

void *worker(void *arg) {
    int tid = (int)(long)arg;
    for (int m = 1; m <= MESSAGES; m++) {
        int w = m * 11 + tid;
        int h = (w * 7) % SIZE;
        while (!claim(&table[h], w))
            h = (h + 1) % SIZE;
    }
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
