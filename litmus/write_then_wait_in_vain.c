/* After an access without a lock, each thread waits for what nobody does. */
#include <pthread.h>
#include <stdatomic.h>

static int shared, seen;
static atomic_int go;

static void *writer(void *arg)
{
    shared = 1;
    while (!go) { }
    return arg;
}

static void *reader(void *arg)
{
    seen = shared;
    while (!go) { }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
