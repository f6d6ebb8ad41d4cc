/* Readers may be many, and one thread may read twice. */
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int n;

void *reads(void *arg)
{
    pthread_rwlock_rdlock(&l);
    if (pthread_rwlock_tryrdlock(&l) == 0)
        pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, reads, 0);
    pthread_rwlock_wrlock(&l);
    n = 1;
    pthread_rwlock_unlock(&l);
    pthread_join(t, 0);
    pthread_rwlock_destroy(&l);
    return 0;
}
