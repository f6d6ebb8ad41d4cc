/* Every thread has its own copy of a thread-local variable, with its initial value. */
#include <assert.h>
#include <pthread.h>

static __thread int mine = 5;

static void *first(void *arg)
{
    assert(mine == 5);
    mine++;
    assert(mine == 6);
    return arg;
}

static void *second(void *arg) { return first(arg); }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(mine == 5);
    return 0;
}
