/* A read without a lock, before one that looks who holds a recursive mutex: the writer may have it by then. */
#include <pthread.h>

static pthread_mutex_t mutex;
static int ready;

static void *look(void *arg)
{
    if (ready == 0) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

static void *set(void *arg)
{
    pthread_mutex_lock(&mutex);
    ready = 0;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &kind);
    pthread_create(&first, 0, look, 0);
    pthread_create(&second, 0, set, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
