// Peterson's algorithm: how much of `seq_cst` does it need?
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2], turn;
int counter;

void enter(int me) {
    atomic_store(&wants[me], 1);
    atomic_store(&turn, 1 - me);
    atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load(&wants[1 - me]) && atomic_load(&turn) != me) {
    }
}

void *first(void *unused) {
    enter(0);
    counter++;
    atomic_store(&wants[0], 0);
    return 0;
}

void *second(void *unused) {
    enter(1);
    counter++;
    atomic_store(&wants[1], 0);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
