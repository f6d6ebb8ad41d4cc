/* A thread uses a local of main, which waits for it only sometimes. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static void *user(void *arg)
{
    *(int *)arg = 1;
    return 0;
}

static void start(void)
{
    int local = 0;
    pthread_t thread;
    pthread_create(&thread, 0, user, &local);
    if (__VERIFIER_nondet_int())
        pthread_join(thread, 0);
}

int main(void)
{
    start();
    return 0;
}
