/* Each thread writes its own two elements of an array. */
#include <pthread.h>

static int data[4];
static pthread_t tids[2];

static void *worker(void *arg)
{
    long own = (long)arg;
    data[2 * own] = 1;
    data[2 * own + 1] = 2;
    return 0;
}

int main(void)
{
    for (long i = 0; i < 2; i++) {
        data[2 * i] = 0;
        pthread_create(&tids[i], 0, worker, (void *)i);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(tids[i], 0);
    return data[3];
}
