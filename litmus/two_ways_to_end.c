/* A thread ends in one of two ways that differ in nothing but the place. */
#include <pthread.h>

extern void reach_error(void);

static int ready;

static void *set(void *arg)
{
    ready = 1;
    return 0;
}

static void *leave(void *arg)
{
    if (ready)
        pthread_exit(0);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, set, 0);
    pthread_create(&second, 0, leave, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    reach_error();
    return 0;
}
