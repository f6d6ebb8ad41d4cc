/* A spin lock is unlocked by a thread that has only tried to lock it. */
#include <pthread.h>

pthread_spinlock_t l;

void *tries(void *arg)
{
    pthread_spin_trylock(&l);
    pthread_spin_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&l, 0);
    pthread_create(&t, 0, tries, 0);
    tries(0);
    pthread_join(t, 0);
    return 0;
}
