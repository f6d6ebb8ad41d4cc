/* Threads enter four messages each into a hash table; below 12 threads no two hashes meet, and
   from then on a message may replace another one. The first thread must not replace any. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 11
#endif
#define SIZE 128
#define MESSAGES 4

int table[SIZE];

void *worker(void *arg) {
    int tid = (int)(long)arg;
    for (int m = 1; m <= MESSAGES; m++) {
        int w = m * 11 + tid;
        int h = (w * 7) % SIZE;
        int replaced = __sync_lock_test_and_set(&table[h], w);
        assert(replaced == 0 || tid != 0);
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
