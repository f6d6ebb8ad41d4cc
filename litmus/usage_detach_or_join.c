/* A thread detaches itself, and its parent joins it: whichever comes first. */
#include <pthread.h>

void *detaches(void *arg)
{
    pthread_detach(pthread_self());
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, detaches, 0);
    pthread_join(t, 0);
    return 0;
}
