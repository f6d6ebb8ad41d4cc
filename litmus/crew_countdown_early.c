/* Threads count down before they do their work, and nobody joins them. */
#include <pthread.h>

static int data, unfinished;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, count = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_lock(&count);
    unfinished--;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&count);
    pthread_mutex_lock(&mutex);
    data++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_t tid;
        pthread_mutex_lock(&count);
        unfinished++;
        pthread_mutex_unlock(&count);
        pthread_create(&tid, 0, worker, 0);
    }
    pthread_mutex_lock(&count);
    while (unfinished > 0)
        pthread_cond_wait(&changed, &count);
    pthread_mutex_unlock(&count);
    return data;
}
