/* Threads share out the numbers up to N and multiply them, each into a product of its own. */
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
#ifndef N
#define N 8
#endif
unsigned next = 1;
unsigned product[3] = {1, 1, 1};
pthread_t thread;
void *multiplier(void *arg) {
    int me = (int)(long)arg;
    for (;;) {
        __VERIFIER_atomic_begin();
        unsigned mine = next;
        if (next <= N)
            next++;
        __VERIFIER_atomic_end();
        if (mine > N)
            break;
        __VERIFIER_atomic_begin();
        product[me] *= mine;
        __VERIFIER_atomic_end();
    }
    return 0;
}
int main(void) {
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, multiplier, (void *)(long)i);
    pthread_exit(0);
}
