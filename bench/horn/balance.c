/* Two threads bring a number to zero under a lock, one from above and one from below. No term
   becomes smaller with the steps of both and larger with none: the proof says that after any number
   of steps the number is nearer to zero, either from above or from below. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *down(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (x <= 0)
            break;
        x = x - 1;
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_unlock(&m);
    return 0;
}

void *up(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (x >= 0)
            break;
        x = x + 1;
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t1, t2;
    x = __VERIFIER_nondet_int();
    pthread_create(&t1, 0, down, 0);
    pthread_create(&t2, 0, up, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
