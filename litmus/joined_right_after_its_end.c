/* A thread is joined by the very event that follows its last one; another one returns an input. */
#include <pthread.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void *nothing(void *arg)
{
    return 0;
}

static void *guess(void *arg)
{
    return (void *)(long)__VERIFIER_nondet_bool();
}

int main(void)
{
    pthread_t first, second;
    void *result;
    pthread_create(&first, 0, nothing, 0);
    pthread_create(&second, 0, guess, 0);
    pthread_join(first, &result);
    pthread_join(second, &result);
    if (result)
        reach_error();
    return 0;
}
