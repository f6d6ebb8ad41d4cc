/* Reads before writes: not both can see the other's. */
#include <assert.h>
#include <pthread.h>

int x, y, a, b;

void *left(void *arg) {
    a = x;
    y = 1;
    return arg;
}

void *right(void *arg) {
    b = y;
    x = 1;
    return arg;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, 0, left, 0);
    pthread_create(&r, 0, right, 0);
    pthread_join(l, 0);
    pthread_join(r, 0);
    assert(!(a && b));
}
