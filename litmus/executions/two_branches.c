/* Two threads branch on what the other writes; only one of the few ways through fails. */
#include <assert.h>
#include <pthread.h>

int x, y;

void *foo(void *arg) {
    int a = y;
    if (a == 0) {
        x = 1;
        a = x + 1;
        x = a;
    } else {
        x = 0;
    }
    return arg;
}

void *bar(void *arg) {
    int b = x;
    if (b == 0) {
        y = 1;
        b = y + 1;
        y = b;
    } else {
        y = -1;
    }
    return arg;
}

int main(void) {
    pthread_t f, b;
    pthread_create(&f, 0, foo, 0);
    pthread_create(&b, 0, bar, 0);
    pthread_join(f, 0);
    pthread_join(b, 0);
    assert(x != y);
}
