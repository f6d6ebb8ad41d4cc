/* On the error path the mutex is unlocked twice: the second time, another thread may hold it. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *worker(void *arg)
{
    (void)arg;
    int failed = __VERIFIER_nondet_int();
    pthread_mutex_lock(&lock);
    data++;
    if (failed)
        pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t tids[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&tids[i], 0, worker, 0);
    return 0;
}
