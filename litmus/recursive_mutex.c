/* A recursive mutex can be locked again by its owner, and is free when it is unlocked as often. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int x;

static void *first(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&lock);
    assert(x == 0 || x == 2);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attr);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
