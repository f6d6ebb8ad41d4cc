/* Deposits and withdrawals without a lock: updates get lost, though not in every order of events. */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif

int balance = 100;

void *deposit(void *arg) {
    for (int i = 0; i < N; i++)
        balance = balance + 1;
    return arg;
}

void *withdraw(void *arg) {
    for (int i = 0; i < N; i++)
        balance = balance - 1;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, deposit, 0);
    pthread_create(&b, 0, withdraw, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(balance != 100 + N);
}
