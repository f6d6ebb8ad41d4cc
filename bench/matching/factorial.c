/* Two threads take the next number and multiply it into one product, which makes a factorial. */
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
#ifndef N
#define N 8
#endif
unsigned next = 1, product = 1;
pthread_t thread;
void *multiplier(void *arg) {
    (void)arg;
    for (;;) {
        __VERIFIER_atomic_begin();
        unsigned mine = next;
        if (next <= N)
            next++;
        __VERIFIER_atomic_end();
        if (mine > N)
            break;
        __VERIFIER_atomic_begin();
        product *= mine;
        __VERIFIER_atomic_end();
    }
    return 0;
}
int main(void) {
    pthread_create(&thread, 0, multiplier, 0);
    pthread_create(&thread, 0, multiplier, 0);
    pthread_exit(0);
}
