/* N philosophers share N forks; the last one takes his forks in the other order. */
#include <pthread.h>

void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

#ifndef N
#define N 2
#endif

unsigned char fork_taken[N];
unsigned char eating[N], eaten[N];

static void take(unsigned char which) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(fork_taken[which] == 0);
    fork_taken[which] = 1;
    __VERIFIER_atomic_end();
}

void *philosopher(void *arg) {
    unsigned char me = (unsigned char)(unsigned long)arg;
    unsigned char left = me, right = (me + 1) % N;
    if (me == N - 1) {
        left = right;
        right = me;
    }
    take(left);
    take(right);
    eating[me] = 1;
    eating[me] = 0;
    eaten[me] = 1;
    fork_taken[right] = 0;
    fork_taken[left] = 0;
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (unsigned long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, philosopher, (void *)i);
    __VERIFIER_atomic_begin();
    int all = 1;
    for (int i = 0; i < N; i++) {
#ifdef PA
        all = all && eating[i];
#else
        all = all && eaten[i];
#endif
    }
    __VERIFIER_assume(all);
    reach_error();
    __VERIFIER_atomic_end();
    return 0;
}
