/* Message passing through an atomic flag: who sees the flag sees the data. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *first(void *arg) { data = 1; flag = 1; return arg; }
static void *second(void *arg)
{
    if (flag)
        assert(data == 1);
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
