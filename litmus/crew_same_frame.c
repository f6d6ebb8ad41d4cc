/* The variable of a block is at the same place in every round, so that two threads get one address. */
#include <pthread.h>

static void *worker(void *arg)
{
    *(int *)arg = 1;
    return 0;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_t tid;
        int own;
        pthread_create(&tid, 0, worker, &own);
    }
    return 0;
}
