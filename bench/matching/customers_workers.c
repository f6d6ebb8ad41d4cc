/* Customers place orders, workers take and serve them; both count. */
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
#define QUEUE 3
#ifndef COUNT
#define COUNT 13
#endif
unsigned char orders, ready;
unsigned char bought[2], served[2];
pthread_t thread;
void *customer(void *arg) {
    int me = (int)(long)arg;
    for (;;) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(orders < QUEUE);
        orders++;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(ready > 0);
        ready--;
        bought[me] = (bought[me] + 1) % COUNT;
        __VERIFIER_atomic_end();
    }
    return 0;
}
void *worker(void *arg) {
    int me = (int)(long)arg;
    for (;;) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(orders > 0);
        orders--;
        __VERIFIER_atomic_end();
        served[me] = (served[me] + 1) % COUNT;
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(ready < QUEUE);
        ready++;
        __VERIFIER_atomic_end();
    }
    return 0;
}
int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread, 0, customer, (void *)(long)i);
        pthread_create(&thread, 0, worker, (void *)(long)i);
    }
    pthread_exit(0);
}
