// A thread is started at a null pointer, on one of two ways.
#include <pthread.h>
_Bool __VERIFIER_nondet_bool(void);
static void *work(void *unused)
{
    return unused;
}
int main(void)
{
    void *(*routine)(void *) = __VERIFIER_nondet_bool() ? work : 0;
    pthread_t thread;
    pthread_create(&thread, 0, routine, 0);
    pthread_join(thread, 0);
    return 0;
}
