/* One thread changes a pair as one, the other one writes a half of it. */
#include <pthread.h>

struct pair {
    int left, right;
};

static struct pair shared;

static void *exchange(void *unused) {
    struct pair new = { 1, 1 }, old;
    __atomic_exchange(&shared, &new, &old, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, exchange, 0);
    shared.right = 2;
    pthread_join(thread, 0);
    return 0;
}
