/* A thread ends and nobody knows any more where its memory is. */
#include <pthread.h>
#include <stdlib.h>

static void *forget(void *arg)
{
    int *cell = malloc(sizeof *cell);
    *cell = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, forget, 0);
    pthread_join(thread, 0);
    return 0;
}
