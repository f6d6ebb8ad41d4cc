/* The same as `crew_conditional_lock`, but the mutex is unlocked in one more case. */
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data, unused;

static void *worker(void *arg)
{
    (void)arg;
    int visits = __VERIFIER_nondet_bool();
    if (visits > 0)
        pthread_mutex_lock(&lock);
    int seen = unused;
    if (visits > 0)
        data += seen;
    if (visits >= 0)
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
