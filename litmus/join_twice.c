/* A thread that was joined cannot be joined again; what happens then is undefined. */
#include <assert.h>
#include <pthread.h>

static void *rest(void *arg) { return arg; }

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, rest, 0);
    pthread_join(thread, 0);
    pthread_join(thread, 0);
    assert(0);
}
