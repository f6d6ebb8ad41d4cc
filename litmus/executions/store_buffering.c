/* Both threads may read 1, or one of them; both reading 0 is impossible. */
#include <assert.h>
#include <pthread.h>

int x, y, a, b;

void *left(void *arg) {
    x = 1;
    a = y;
    return arg;
}

void *right(void *arg) {
    y = 1;
    b = x;
    return arg;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, 0, left, 0);
    pthread_create(&r, 0, right, 0);
    pthread_join(l, 0);
    pthread_join(r, 0);
    assert(a + b > 0);
}
