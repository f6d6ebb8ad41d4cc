/* Two threads get the same number. */
#include <pthread.h>
#include <stdlib.h>

static int data[2];

static void *worker(void *arg)
{
    int own = *(int *)arg;
    free(arg);
    data[own] = 1;
    return 0;
}

int main(void)
{
    pthread_t tids[2];
    for (int i = 0; i < 2; i++) {
        int *number = malloc(sizeof(int));
        *number = i / 2;
        pthread_create(&tids[i], 0, worker, number);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(tids[i], 0);
    return data[1];
}
