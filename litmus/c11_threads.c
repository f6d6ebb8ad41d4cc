/* Threads and mutexes of C11. */
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static int x;

static int increment(void *arg)
{
    (void)arg;
    mtx_lock(&lock);
    x++;
    mtx_unlock(&lock);
    return 4;
}

int main(void)
{
    thrd_t a, b;
    int result = 0;
    mtx_init(&lock, mtx_plain);
    thrd_create(&a, increment, 0);
    thrd_create(&b, increment, 0);
    thrd_join(a, &result);
    thrd_join(b, 0);
    assert(x == 2 && result == 4);
    return 0;
}
