// A message and a flag that is released and acquired: the message comes first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int message, flag;

void *send(void *unused) {
    atomic_store_explicit(&message, 42, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_release);
    return 0;
}

void *receive(void *unused) {
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(atomic_load_explicit(&message, memory_order_relaxed) == 42);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, send, 0);
    pthread_create(&b, 0, receive, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
