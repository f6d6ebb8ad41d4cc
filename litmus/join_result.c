/* `pthread_join` gets what the thread returned, or gave to `pthread_exit`. */
#include <assert.h>
#include <pthread.h>

static void *first(void *arg) { return (char *)arg + 1; }
static void *second(void *arg)
{
    pthread_exit((char *)arg + 2);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    void *from_a, *from_b;
    pthread_create(&a, 0, first, (void *)10L);
    pthread_create(&b, 0, second, (void *)20L);
    pthread_join(a, &from_a);
    pthread_join(b, &from_b);
    assert((long)from_a == 11 && (long)from_b == 22);
    return 0;
}
