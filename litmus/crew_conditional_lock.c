/* A mutex that is locked under a condition and unlocked under the same one. */
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
    if (visits > 0) {
        data += seen;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
