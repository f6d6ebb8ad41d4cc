// The same lock with orders that are too weak: what has to be stronger?
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int next, owner;
int counter;

void lock(void) {
    int ticket = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&owner, memory_order_acquire) != ticket) {
    }
}

void unlock(void) {
    int served = atomic_load_explicit(&owner, memory_order_relaxed);
    atomic_store_explicit(&owner, served + 1, memory_order_relaxed);
}

void *worker(void *unused) {
    lock();
    counter++;
    unlock();
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
