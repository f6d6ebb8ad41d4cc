/* Any number of threads that end inside an atomic section: the first thread goes on. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern _Bool __VERIFIER_nondet_bool(void);

int x;

void *leaves(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 1;
    if (arg == 0)
        x = 2;
    pthread_exit(0);
}

int main(void)
{
    pthread_t t;
    while (__VERIFIER_nondet_bool()) {
        pthread_create(&t, 0, leaves, 0);
        assert(x != 2);
    }
    return 0;
}
