/* Memory of a size that is not known is freed, and never used. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

static int *memory;

static void *idle(void *arg)
{
    return 0;
}

int main(void)
{
    pthread_t thread;
    int count = __VERIFIER_nondet_int();
    pthread_create(&thread, 0, idle, 0);
    memory = calloc(sizeof *memory, count);
    free(memory);
    pthread_join(thread, 0);
    return 0;
}
