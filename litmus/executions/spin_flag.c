/* A loop that waits for a flag is one step: it looks too early or in time. */
#include <assert.h>
#include <pthread.h>

int flag, data;

void *sender(void *arg) {
    data = 1;
    flag = 1;
    return arg;
}

void *receiver(void *arg) {
    while (!flag)
        ;
    assert(data == 1);
    return arg;
}

int main(void) {
    pthread_t s, r;
    pthread_create(&s, 0, sender, 0);
    pthread_create(&r, 0, receiver, 0);
    pthread_join(s, 0);
    pthread_join(r, 0);
    return 0;
}
