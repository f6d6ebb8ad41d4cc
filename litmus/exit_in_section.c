/* A thread that ends inside an atomic section leaves it: the others go on, and see what it did. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);

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
    pthread_create(&t, 0, leaves, 0);
    assert(x != 2);
    return 0;
}
