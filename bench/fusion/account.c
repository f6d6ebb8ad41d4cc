/* Two tellers move money and write a log of N entries. An update of the balance can get lost,
   long before the end of the execution. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 1
#endif

int balance, entry;

void *depositor(void *arg) {
    int seen = balance;
    balance = seen + 10;
    for (int i = 1; i <= N; i++)
        entry = i;
    return arg;
}

void *auditor(void *arg) {
    int seen = balance;
    balance = seen + 20;
    for (int i = 0; i < N; i++) {
        int last = entry;
        if (last < 0)
            entry = 0;
    }
    return arg;
}

int main(void) {
    pthread_t d, a;
    pthread_create(&d, 0, depositor, 0);
    pthread_create(&a, 0, auditor, 0);
    pthread_join(d, 0);
    pthread_join(a, 0);
    assert(balance == 30);
    return 0;
}
