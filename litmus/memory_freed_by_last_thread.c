/* `main` ends first, the other thread frees what it was given, or keeps it in a global. */
#include <pthread.h>
#include <stdlib.h>

static int *known;

static void *release(void *arg)
{
    free(arg);
    known = malloc(sizeof *known);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *given = malloc(sizeof *given);
    pthread_create(&thread, 0, release, given);
    pthread_exit(0);
}
