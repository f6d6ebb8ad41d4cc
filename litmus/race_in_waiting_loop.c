/* The loop reads what main writes: only its fruitless rounds can come before the write. */
#include <pthread.h>

int closed = 1;

static void *wait_for_it(void *arg)
{
    (void)arg;
    while (closed != 0)
        ;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_it, NULL);
    closed = 0;
    pthread_join(thread, NULL);
    return 0;
}
