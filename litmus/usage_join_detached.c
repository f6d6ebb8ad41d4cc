/* A thread that was made detached is joined. */
#include <pthread.h>

void *ends(void *arg)
{
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &a, ends, 0);
    pthread_join(t, 0);
    return 0;
}
