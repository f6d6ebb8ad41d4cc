/* A barber sleeps until a customer sits down; customers who find no chair free go away and come back. */
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
#ifndef CUSTOMERS
#define CUSTOMERS 3
#endif
#define CHAIRS 2
#ifndef CUTS
#define CUTS 6
#endif
#ifndef AWAY
#define AWAY 3
#endif
unsigned char waiting, in_chair, done, cuts, turned_away;
pthread_t thread;
void *barber(void *arg) {
    (void)arg;
    for (;;) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(waiting > 0 && in_chair == 0);
        waiting--;
        in_chair = 1;
        __VERIFIER_atomic_end();
        cuts = (cuts + 1) % CUTS;
        __VERIFIER_atomic_begin();
        in_chair = 0;
        done++;
        __VERIFIER_atomic_end();
    }
    return 0;
}
void *customer(void *arg) {
    (void)arg;
    unsigned char visits = 0;
    for (;;) {
        int seated = 0;
        __VERIFIER_atomic_begin();
        if (waiting < CHAIRS) {
            waiting++;
            seated = 1;
        } else {
            turned_away = (turned_away + 1) % AWAY;
        }
        __VERIFIER_atomic_end();
        if (seated) {
            __VERIFIER_atomic_begin();
            __VERIFIER_assume(done > 0);
            done--;
            __VERIFIER_atomic_end();
            visits = (visits + 1) % CUTS;
        }
    }
    return 0;
}
int main(void) {
    pthread_create(&thread, 0, barber, 0);
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_create(&thread, 0, customer, 0);
    pthread_exit(0);
}
