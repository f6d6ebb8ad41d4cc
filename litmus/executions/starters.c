/* Two threads start a thread each: handles tell the order. */
#include <assert.h>
#include <pthread.h>

int x;

void *child(void *arg) {
    x = 1;
    return arg;
}

void *starter(void *arg) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    pthread_join(t, 0);
    return arg;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, starter, 0);
    pthread_create(&t, 0, starter, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(x == 1);
}
