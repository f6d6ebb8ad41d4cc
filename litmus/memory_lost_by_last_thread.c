/* The process ends with its last thread, whichever that is: then the memory is lost. */
#include <pthread.h>
#include <stdlib.h>

static void *release(void *arg)
{
    free(arg);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *given = malloc(sizeof *given);
    int *forgotten = malloc(sizeof *forgotten);
    *forgotten = 0;
    pthread_create(&thread, 0, release, given);
    pthread_exit(0);
}
