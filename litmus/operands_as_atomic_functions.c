/* Which of two atomic functions is called first is open; from left to right the values fit. */
#include <assert.h>
#include <pthread.h>

static int x, y;

int __VERIFIER_atomic_x(void) {
    return x;
}

int __VERIFIER_atomic_y(void) {
    return y;
}

void __VERIFIER_atomic_add_x(void) {
    x++;
}

void __VERIFIER_atomic_add_y(void) {
    y++;
}

static void *writer(void *unused) {
    (void)unused;
    __VERIFIER_atomic_add_y();
    __VERIFIER_atomic_add_x();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int fits = __VERIFIER_atomic_x() <= __VERIFIER_atomic_y();
    assert(fits);
    pthread_join(thread, 0);
    return 0;
}
