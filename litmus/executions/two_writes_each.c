/* Two threads write two variables in opposite order. */
#include <assert.h>
#include <pthread.h>

int x, y;

void *left(void *arg) {
    x = 1;
    y = 2;
    return arg;
}

void *right(void *arg) {
    y = 1;
    x = 2;
    return arg;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, 0, left, 0);
    pthread_create(&r, 0, right, 0);
    pthread_join(l, 0);
    pthread_join(r, 0);
    assert(!(x == 1 && y == 1));
}
