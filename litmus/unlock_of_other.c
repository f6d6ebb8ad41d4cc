/* A thread unlocks the mutex that another one holds; then both are inside. */
#include <pthread.h>

extern void reach_error(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void work(void)
{
    if (inside)
        reach_error();
    inside = 1;
    inside = 0;
}

static void *holder(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    work();
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *intruder(void *arg)
{
    (void)arg;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    work();
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, holder, 0);
    pthread_create(&two, 0, intruder, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
