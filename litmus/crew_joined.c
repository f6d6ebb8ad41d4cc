/* A loop joins all that another loop has started, however many these are. */
#include <pthread.h>
#include <stdlib.h>

static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_lock(&mutex);
    data++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    int count = 2;
    pthread_t *tids = malloc(count * sizeof(pthread_t));
    for (int i = 0; i < count; i++)
        pthread_create(&tids[i], 0, worker, 0);
    for (int i = 0; i < count; i++)
        pthread_join(tids[i], 0);
    free(tids);
    return data;
}
