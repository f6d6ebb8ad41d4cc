/* Two numbers that change as one. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    unsigned index, count;
};

static _Atomic struct pair shared;

static void *add(void *unused) {
    struct pair old = atomic_load(&shared), new;
    do {
        new.index = old.index + 1;
        new.count = old.count + 2;
    } while (!atomic_compare_exchange_weak(&shared, &old, new));
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, add, 0);
    pthread_create(&two, 0, add, 0);
    struct pair seen = atomic_load(&shared);
    assert(seen.count == 2 * seen.index);
    pthread_join(one, 0);
    pthread_join(two, 0);
    seen = shared;
    assert(seen.index == 2 && seen.count == 4);
    shared = (struct pair){ 0, 0 };
    struct pair next = { 5, 6 };
    seen = atomic_exchange(&shared, next);
    assert(seen.index == 0 && seen.count == 0);
    return 0;
}
