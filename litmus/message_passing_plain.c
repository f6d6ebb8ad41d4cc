/* Message passing through a plain flag: right under sequential consistency, but a race. */
#include <assert.h>
#include <pthread.h>

static int data, flag;

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
