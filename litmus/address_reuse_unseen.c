/* Memory is freed and allocated again, but old addresses are only compared with a null pointer. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int sum;

static void *worker(void *arg)
{
    int *cell = malloc(sizeof *cell);
    *cell = 1;
    __atomic_fetch_add(&sum, *cell, __ATOMIC_SEQ_CST);
    free(cell);
    assert(cell != 0);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sum == 2);
    return 0;
}
