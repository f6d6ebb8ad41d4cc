/* A mutex that is destroyed cannot be locked any more (EINVAL). */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *add(void *arg)
{
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t one, other;
    pthread_mutex_destroy(&lock);
    pthread_create(&one, 0, add, 0);
    pthread_create(&other, 0, add, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(x == 2);
    return 0;
}
