/* Whoever sees the flag sees the data. */
#include <assert.h>
#include <pthread.h>

int data, flag, seen, got;

void *sender(void *arg) {
    data = 42;
    flag = 1;
    return arg;
}

void *receiver(void *arg) {
    seen = flag;
    got = data;
    return arg;
}

int main(void) {
    pthread_t s, r;
    pthread_create(&s, 0, sender, 0);
    pthread_create(&r, 0, receiver, 0);
    pthread_join(s, 0);
    pthread_join(r, 0);
    assert(!seen || got == 42);
}
