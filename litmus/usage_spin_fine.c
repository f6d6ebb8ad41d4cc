/* A spin lock from its making to its end. */
#include <pthread.h>

pthread_spinlock_t l;
int n;

void *adds(void *arg)
{
    pthread_spin_lock(&l);
    n++;
    pthread_spin_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&l, 0);
    pthread_create(&t, 0, adds, 0);
    adds(0);
    pthread_join(t, 0);
    pthread_spin_destroy(&l);
    return 0;
}
