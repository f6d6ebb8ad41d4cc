/* Records made at run time, one for each of N threads and one more. Each thread counts in its own
   record and in the next one; a count of the first record that is shared can get lost. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N 2
#endif

struct record {
    int count;
    int last;
    struct record *next;
};

void *user(void *arg) {
    struct record *own = arg;
    int count = own->count;
    own->count = count + 1;
    own->last = count;
    struct record *next = own->next;
    count = next->count;
    next->count = count + 1;
    next->last = count;
    return 0;
}

int main(void) {
    pthread_t t[N];
    struct record *records[N + 1];
    for (int i = 0; i <= N; i++)
        records[i] = calloc(1, sizeof(struct record));
    for (int i = 0; i < N; i++)
        records[i]->next = records[i + 1];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, user, records[i]);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(records[1]->count == 2);
    return 0;
}
