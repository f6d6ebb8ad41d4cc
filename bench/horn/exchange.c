/* Two threads exchange items: three of one kind for one of the other, and two of the other for three of
   the first kind. Neither kind becomes fewer for ever, and neither does their sum; but the first kind with
   each of the other counted twice does. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *buyer(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (x < 3)
            break;
        x = x - 3;
        y = y + 1;
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_unlock(&m);
    return 0;
}

void *seller(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (y < 2)
            break;
        y = y - 2;
        x = x + 3;
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t1, t2;
    x = __VERIFIER_nondet_int();
    y = __VERIFIER_nondet_int();
    pthread_create(&t1, 0, buyer, 0);
    pthread_create(&t2, 0, seller, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
