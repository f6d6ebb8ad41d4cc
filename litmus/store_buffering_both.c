/* Store buffering: both threads may see the other's store, so this claim fails. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1, r2;

static void *first(void *arg) { x = 1; r1 = y; return arg; }
static void *second(void *arg) { y = 1; r2 = x; return arg; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(r1 == 0 || r2 == 0);
    return 0;
}
