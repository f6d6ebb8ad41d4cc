/* Threads without number count up behind a lock, and down when they have given it back. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t step = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&step);
    count++;
    pthread_mutex_unlock(&step);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&step);
    count--;
    pthread_mutex_unlock(&step);
    return arg;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&lock);
    assert(count == 0);
    pthread_mutex_unlock(&lock);
    return 0;
}
