/* A thread may get the handle of one that was joined before. */
#include <assert.h>
#include <pthread.h>

static void *worker(void *arg) { return arg; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_join(a, 0);
    pthread_create(&b, 0, worker, 0);
    assert(!pthread_equal(a, b));
    pthread_join(b, 0);
    return 0;
}
