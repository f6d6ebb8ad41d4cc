// A lock that serves threads in the order in which they come. Which memory orders does it need?
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int next, owner;
int counter;

void lock(void) {
    int ticket = atomic_fetch_add(&next, 1);
    while (atomic_load(&owner) != ticket) {
    }
}

void unlock(void) {
    int served = atomic_load(&owner);
    atomic_store(&owner, served + 1);
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
