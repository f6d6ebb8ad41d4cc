// Whoever is never let run could be waited for in vain, but no scheduler is like that.
#include <pthread.h>

int ready;

void *set(void *arg)
{
    ready = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    while (!ready)
        ;
    pthread_join(t, 0);
    return 0;
}
