/* Two threads write without a lock; that neither does anything afterwards changes nothing. */
#include <pthread.h>

static int shared;

static void *writer(void *arg)
{
    shared = 1;
    for (;;) { }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(b, 0);
    return 0;
}
