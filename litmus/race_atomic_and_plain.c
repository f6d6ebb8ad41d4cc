/* An atomic write and a plain read of the same variable race. */
#include <assert.h>
#include <pthread.h>

static int x;

static void *first(void *arg) { __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST); return arg; }
static void *second(void *arg) { assert(x == 0 || x == 1); return arg; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
