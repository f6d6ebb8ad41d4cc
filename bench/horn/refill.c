/* One thread exchanges what it has at a loss, and each time refills what the other thread exchanges at a
   loss. The order is lexicographic: first what the one has, then what the other has, and each is a sum in
   which the parts count differently. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int a, b, c, d;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *refills(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (a < 3 || b < 2)
            break;
        if (__VERIFIER_nondet_int()) {
            a = a - 3;
            b = b + 1;
        } else {
            b = b - 2;
            a = a + 3;
        }
        c = __VERIFIER_nondet_int();
        d = __VERIFIER_nondet_int();
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_unlock(&m);
    return 0;
}

void *exchanges(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (c < 5 || d < 2)
            break;
        if (__VERIFIER_nondet_int()) {
            c = c - 5;
            d = d + 2;
        } else {
            d = d - 2;
            c = c + 3;
        }
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t1, t2;
    a = __VERIFIER_nondet_int();
    b = __VERIFIER_nondet_int();
    c = __VERIFIER_nondet_int();
    d = __VERIFIER_nondet_int();
    pthread_create(&t1, 0, refills, 0);
    pthread_create(&t2, 0, exchanges, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
