/* A spin lock whose assembly casts what it sets. */
#include <assert.h>
#include <pthread.h>

static unsigned lock;
static int count;

static unsigned exchange(void *place, unsigned value) {
    __asm__ volatile("xchgl %0,%1" : "=r"((unsigned)value) : "m"(*(volatile unsigned *)place), "0"(value) : "memory");
    return value;
}

static void *worker(void *unused) {
    while (exchange(&lock, 1)) {
    }
    count++;
    exchange(&lock, 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    assert(count == 2);
    return 0;
}
