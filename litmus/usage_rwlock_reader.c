/* A thread that does not read unlocks for one that does. */
#include <pthread.h>

pthread_rwlock_t l;

void *unlocks(void *arg)
{
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_rwlock_rdlock(&l);
    pthread_create(&t, 0, unlocks, 0);
    pthread_join(t, 0);
    return 0;
}
