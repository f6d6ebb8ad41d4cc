/* Two threads can draw the same number. */
#include <pthread.h>

static int next, data[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_lock(&mutex);
    int own = next;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    next++;
    pthread_mutex_unlock(&mutex);
    data[own] = 1;
    return arg;
}

int main(void)
{
    pthread_t tids[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&tids[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(tids[i], 0);
    return data[0];
}
