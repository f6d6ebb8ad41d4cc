/* `atomic_init` is no atomic operation. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *initialise(void *arg) { atomic_init(&x, 1); return arg; }

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, initialise, 0);
    atomic_store_explicit(&x, 2, 0);
    pthread_join(thread, 0);
    return 0;
}
