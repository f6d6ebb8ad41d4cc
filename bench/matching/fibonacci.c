/* Two threads add each other's number to their own, in turns that nobody prescribes. */
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
#ifndef N
#define N 4
#endif
unsigned a = 1, b = 1;
pthread_t thread;
void *first(void *arg) {
    (void)arg;
    for (int i = 0; i < N; i++) {
        __VERIFIER_atomic_begin();
        a += b;
        __VERIFIER_atomic_end();
    }
    return 0;
}
void *second(void *arg) {
    (void)arg;
    for (int i = 0; i < N; i++) {
        __VERIFIER_atomic_begin();
        b += a;
        __VERIFIER_atomic_end();
    }
    return 0;
}
int main(void) {
    pthread_create(&thread, 0, first, 0);
    pthread_create(&thread, 0, second, 0);
    pthread_exit(0);
}
