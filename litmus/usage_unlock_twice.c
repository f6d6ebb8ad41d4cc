/* The way out of an error unlocks, and the end of the function once more. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m;

void *works(void *arg)
{
    pthread_mutex_lock(&m);
    if (__VERIFIER_nondet_int() < 0) {
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, works, 0);
    works(0);
    pthread_join(t, 0);
    return 0;
}
