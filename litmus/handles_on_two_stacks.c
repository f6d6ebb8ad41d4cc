/* Two threads lend `main` a place on their stacks for a handle each. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic(pthread_t *) lent[2];
int late;

void *lend(void *which) {
    pthread_t handle;
    lent[(long)which] = &handle;
    while (1)
        ;
}

void *first(void *unused) { return 0; }

void *second(void *unused) {
    assert(late == 0);
    return 0;
}

int main(void) {
    pthread_t lender;
    pthread_create(&lender, 0, lend, (void *)0);
    pthread_create(&lender, 0, lend, (void *)1);
    while (!lent[0] || !lent[1])
        ;
    pthread_create(lent[0], 0, first, 0);
    pthread_create(lent[1], 0, second, 0);
    pthread_join(*lent[0], 0);
    late = 1;
    pthread_join(*lent[1], 0);
}
