/* A detached thread may or may not run before the process ends. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *set(void *arg) { x = 1; return arg; }

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    pthread_detach(thread);
    assert(x == 0);
    return 0;
}
