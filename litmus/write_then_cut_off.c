/* No execution comes behind the writes, and they race all the same. */
#include <pthread.h>

extern void __VERIFIER_assume(int);

static int shared;

static void *writer(void *arg)
{
    shared = 1;
    __VERIFIER_assume(0);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(b, 0);
    return 0;
}
