/* N philosophers take the left fork, then the right one, eat, and put both back; each counts its meals. */
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
#ifndef N
#define N 4
#endif
#ifndef MEALS
#define MEALS 6
#endif
unsigned char fork[N];
unsigned char meals[N];
pthread_t thread;
static void take(int which) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(fork[which] == 0);
    fork[which] = 1;
    __VERIFIER_atomic_end();
}
void *philosopher(void *arg) {
    int me = (int)(long)arg;
    for (;;) {
        take(me);
        take((me + 1) % N);
        __VERIFIER_atomic_begin();
        meals[me] = (meals[me] + 1) % MEALS;
        __VERIFIER_atomic_end();
        fork[me] = 0;
        fork[(me + 1) % N] = 0;
    }
    return 0;
}
int main(void) {
    for (int i = 0; i < N; i++)
        pthread_create(&thread, 0, philosopher, (void *)(long)i);
    pthread_exit(0);
}
