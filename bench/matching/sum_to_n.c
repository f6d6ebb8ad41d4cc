/* Threads share out the numbers up to N and add them up, each into a sum of its own. */
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
#ifndef N
#define N 8
#endif
int next = 1;
int sum[3];
pthread_t thread;
void *adder(void *arg) {
    int me = (int)(long)arg;
    for (;;) {
        __VERIFIER_atomic_begin();
        int mine = next;
        if (next <= N)
            next++;
        __VERIFIER_atomic_end();
        if (mine > N)
            break;
        __VERIFIER_atomic_begin();
        sum[me] += mine;
        __VERIFIER_atomic_end();
    }
    return 0;
}
int main(void) {
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, adder, (void *)(long)i);
    pthread_exit(0);
}
