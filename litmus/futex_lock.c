/* A lock made of a futex: who finds it taken goes to sleep, and whoever unlocks it wakes one thread. */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint state;
static int sum;

static void lock(void) {
    unsigned seen = 0;
    if (atomic_compare_exchange_strong(&state, &seen, 1)) {
        return;
    }
    while (atomic_exchange(&state, 2) != 0) {
        syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
    }
}

static void unlock(void) {
    if (atomic_exchange(&state, 0) == 2) {
        syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1);
    }
}

static void *add(void *unused) {
    (void)unused;
    lock();
    sum++;
    unlock();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    add(0);
    pthread_join(thread, 0);
    assert(sum == 2);
    return 0;
}
