/* Spin locks exclude like mutexes. */
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int x;

static void *first(void *arg)
{
    pthread_spin_lock(&lock);
    x++;
    pthread_spin_unlock(&lock);
    return arg;
}

static void *second(void *arg) { return first(arg); }

int main(void)
{
    pthread_t a, b;
    pthread_spin_init(&lock, 0);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
