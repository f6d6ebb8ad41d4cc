/* Load buffering: no thread reads what is stored later on. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1, r2;

static void *first(void *arg) { r1 = x; y = 1; return arg; }
static void *second(void *arg) { r2 = y; x = 1; return arg; }

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
