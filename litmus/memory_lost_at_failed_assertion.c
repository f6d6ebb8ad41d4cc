/* A failed assertion ends the process, and with it the memory is lost that nothing points to. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

_Bool __VERIFIER_nondet_bool(void);
static int *p;

static void *make(void *arg)
{
    p = malloc(sizeof *p);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, make, 0);
    pthread_join(thread, 0);
    if (__VERIFIER_nondet_bool()) {
        p = 0;
        assert(0);
    }
    free(p);
    return 0;
}
