/* Two readers agree on the order of two writes. */
#include <assert.h>
#include <pthread.h>

int x, y, a, b, c, d;

void *write_x(void *arg) {
    x = 1;
    return arg;
}

void *write_y(void *arg) {
    y = 1;
    return arg;
}

void *read_xy(void *arg) {
    a = x;
    b = y;
    return arg;
}

void *read_yx(void *arg) {
    c = y;
    d = x;
    return arg;
}

int main(void) {
    pthread_t t[4];
    pthread_create(&t[0], 0, write_x, 0);
    pthread_create(&t[1], 0, write_y, 0);
    pthread_create(&t[2], 0, read_xy, 0);
    pthread_create(&t[3], 0, read_yx, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(!(a && !b && c && !d));
}
