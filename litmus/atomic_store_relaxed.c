/* A relaxed store is atomic. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *store(void *arg)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, store, 0);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    atomic_store_explicit(&x, 3, 0);
    pthread_join(thread, 0);
    return 0;
}
