/* A thread chooses freely right after it has taken a lock: both choices before the other thread and both after it. */
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

void *chooser(void *arg) {
    _Bool chosen;
    pthread_mutex_lock(&a);
    chosen = __VERIFIER_nondet_bool();
    pthread_mutex_unlock(&a);
    return (void *)(long)chosen;
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, chooser, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_join(t, &result);
    return (int)(long)result;
}
