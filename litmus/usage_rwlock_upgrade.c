/* A reader wants to write without letting go first: it waits for itself. */
#include <pthread.h>

pthread_rwlock_t l;

int main(void)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&l);
    return 0;
}
