/* 2+2W: the first writes of both threads cannot both be last. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *first(void *arg) { x = 1; y = 2; return arg; }
static void *second(void *arg) { y = 1; x = 2; return arg; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!(x == 1 && y == 1));
    return 0;
}
