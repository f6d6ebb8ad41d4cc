/* A thread gets stuck inside an atomic section, and stops all others. */
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static void *stuck(void *arg)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(0);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, stuck, &thread);
    pthread_join(thread, 0);
    reach_error();
    return 0;
}
