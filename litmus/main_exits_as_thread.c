/* `pthread_exit` in `main` ends that thread only: the other one goes on. */
#include <assert.h>
#include <pthread.h>

static void *fail(void *arg)
{
    assert(0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, fail, 0);
    pthread_exit(0);
}
