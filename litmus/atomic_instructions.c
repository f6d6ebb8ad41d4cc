/* A lock and a counter made of instructions of the machine. */
#include <assert.h>
#include <pthread.h>

static volatile int lock;
static int counter;
static int shared;

static int exchange(volatile int *place, int value) {
    __asm__ __volatile__("xchgl %0, %1" : "+r"(value), "+m"(*place) : : "memory");
    return value;
}

static int compare_exchange(volatile int *place, int old, int value) {
    int found;
    __asm__ __volatile__("lock; cmpxchgl %2, %1" : "=a"(found), "+m"(*place) : "r"(value), "0"(old) : "memory");
    return found;
}

static void *worker(void *unused) {
    (void)unused;
    while (compare_exchange(&lock, 0, 1) != 0) {
        __builtin_ia32_pause();
    }
    shared++;
    exchange(&lock, 0);
    __asm__ __volatile__("lock; incl %0" : "+m"(counter));
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    assert(shared == 2);
    assert(counter == 2);
    return 0;
}
