/* The same as `crew_lock_in_record`, but `main` unlocks a lock that it has not locked. */
#include <pthread.h>
#include <stdlib.h>

struct record { pthread_mutex_t lock; int data; };

static void *worker(void *arg)
{
    struct record *record = arg;
    pthread_mutex_lock(&record->lock);
    record->data++;
    pthread_mutex_unlock(&record->lock);
    return 0;
}

int main(void)
{
    pthread_t tids[4];
    struct record *records[2];
    for (int i = 0; i < 2; i++) {
        records[i] = malloc(sizeof(struct record));
        pthread_mutex_init(&records[i]->lock, 0);
        records[i]->data = 0;
    }
    for (int i = 0; i < 3; i++)
        pthread_create(&tids[i], 0, worker, records[i / 2]);
    pthread_mutex_unlock(&records[0]->lock);
    for (int i = 0; i < 3; i++)
        pthread_join(tids[i], 0);
    return 0;
}
