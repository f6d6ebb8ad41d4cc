/* N philosophers share N forks; the last one takes his forks in the other order. */
#include <pthread.h>

void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

#ifndef N
#define N 2
#endif

unsigned char taken[N];
unsigned char eating[N], eaten[N];

#define TAKE(FORK)                      \
    __VERIFIER_atomic_begin();          \
    __VERIFIER_assume(taken[FORK] == 0);\
    taken[FORK] = 1;                    \
    __VERIFIER_atomic_end()

void *philosopher(void *arg) {
    unsigned char me = (unsigned char)(unsigned long)arg;
    unsigned char first = me == N - 1 ? 0 : me;
    unsigned char second = me == N - 1 ? me : me + 1;
#ifdef FOREVER
again:
#endif
    TAKE(first);
    TAKE(second);
    eating[me] = 1;
    __VERIFIER_atomic_begin();
    eating[me] = 0;
    eaten[me] = 1;
    __VERIFIER_atomic_end();
    taken[second] = 0;
    taken[first] = 0;
#ifdef FOREVER
    goto again;
#endif
    return 0;
}

#ifdef PA
#define STATE eating
#else
#define STATE eaten
#endif

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, philosopher, (void *)0);
    pthread_create(&thread, 0, philosopher, (void *)1);
#if N > 2
    pthread_create(&thread, 0, philosopher, (void *)2);
#endif
#if N > 3
    pthread_create(&thread, 0, philosopher, (void *)3);
#endif
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(STATE[0] & STATE[1]
#if N > 2
                      & STATE[2]
#endif
#if N > 3
                      & STATE[3]
#endif
    );
    __VERIFIER_atomic_end();
    reach_error();
    return 0;
}
