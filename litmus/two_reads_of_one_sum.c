/* `x + x` reads twice: another thread can write in between. */
#include <assert.h>
#include <pthread.h>

static int x;

static void *first(void *arg) { x = 1; return arg; }
static void *second(void *arg)
{
    int sum = x + x;
    assert(sum != 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
