/* A thread is joined twice. */
#include <pthread.h>

void *ends(void *arg)
{
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, ends, 0);
    pthread_join(t, 0);
    pthread_join(t, 0);
    return 0;
}
