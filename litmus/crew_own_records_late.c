/* The creator sets up the record when its thread is running already. */
#include <pthread.h>
#include <stdlib.h>

struct record { pthread_t tid; int data; };
static struct record *records[2];

static void *worker(void *arg)
{
    struct record *own = arg;
    own->data = 1;
    return 0;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        struct record *record = malloc(sizeof(struct record));
        records[i] = record;
        pthread_create(&record->tid, 0, worker, record);
        record->data = 0;
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(records[i]->tid, 0);
        free(records[i]);
    }
    return 0;
}
