// The spin lock of C11.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_flag busy = ATOMIC_FLAG_INIT;
int counter;

void *worker(void *unused)
{
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        ;
    counter++;
    atomic_flag_clear_explicit(&busy, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    while (atomic_flag_test_and_set(&busy))
        ;
    counter++;
    atomic_flag_clear(&busy);
    pthread_join(thread, 0);
    assert(counter == 2);
    return 0;
}
