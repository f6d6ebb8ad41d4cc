// One thread puts items into a small buffer, another takes them out. Which memory orders do they need?
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2
#define ITEMS 3

int slots[SIZE];
atomic_int taken, put;

void *producer(void *unused) {
    for (int item = 0; item < ITEMS; item++) {
        int at = atomic_load(&put);
        while (at - atomic_load(&taken) == SIZE) {
        }
        slots[at % SIZE] = item;
        atomic_store(&put, at + 1);
    }
    return 0;
}

void *consumer(void *unused) {
    for (int item = 0; item < ITEMS; item++) {
        int at = atomic_load(&taken);
        while (at == atomic_load(&put)) {
        }
        assert(slots[at % SIZE] == item);
        atomic_store(&taken, at + 1);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
