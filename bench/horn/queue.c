/* A queue in the manner of a parallel compressor: one thread reads blocks into it, two threads
   take them out and compress them, the first thread waits for all of them. No block is taken from
   an empty queue, none is lost in a full one, and none is counted twice. */
#include <assert.h>
#include <pthread.h>

#define SIZE 3

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
int filled, all_read, produced, consumed;
int blocks;

void *reader(void *arg)
{
    for (int i = 0; i < blocks; i++) {
        pthread_mutex_lock(&m);
        while (filled == SIZE)
            pthread_cond_wait(&not_full, &m);
        assert(filled < SIZE);
        filled++;
        produced++;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_lock(&m);
    all_read = 1;
    pthread_cond_broadcast(&not_empty);
    pthread_mutex_unlock(&m);
    return 0;
}

void *compressor(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        while (filled == 0 && !all_read)
            pthread_cond_wait(&not_empty, &m);
        if (filled == 0) {
            pthread_mutex_unlock(&m);
            return 0;
        }
        assert(filled > 0);
        filled--;
        consumed++;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&m);
    }
}

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    pthread_t r, c1, c2;
    blocks = __VERIFIER_nondet_int();
    pthread_create(&r, 0, reader, 0);
    pthread_create(&c1, 0, compressor, 0);
    pthread_create(&c2, 0, compressor, 0);
    pthread_join(r, 0);
    pthread_join(c1, 0);
    pthread_join(c2, 0);
    assert(produced == consumed);
    return 0;
}
