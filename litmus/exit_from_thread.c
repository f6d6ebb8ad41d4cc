/* A thread that calls `exit` ends the process: `main` never gets past its join. */
#include <stdlib.h>
#include <assert.h>
#include <pthread.h>

static void *quit(void *arg)
{
    exit(0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, quit, 0);
    pthread_join(thread, 0);
    assert(0);
    return 0;
}
