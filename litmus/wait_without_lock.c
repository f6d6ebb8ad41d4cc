/* Waiting for a condition gives the mutex back, even if it is another thread that holds it. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int data;

static void *holder(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    data++;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *waiter(void *arg)
{
    (void)arg;
    pthread_cond_wait(&condition, &lock);
    data++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, holder, 0);
    pthread_create(&two, 0, waiter, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
