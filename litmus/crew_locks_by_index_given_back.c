/* The same as `crew_locks_by_index`, but `main` unlocks a lock that it has not locked. */
#include <pthread.h>

static int data[2];
static pthread_mutex_t locks[2];

static void *worker(void *arg)
{
    int index = (int)(long)arg & 1;
    pthread_mutex_lock(&locks[index]);
    data[index]++;
    pthread_mutex_unlock(&locks[index]);
    return 0;
}

int main(void)
{
    pthread_t tids[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&tids[i], 0, worker, (void *)i);
    pthread_mutex_unlock(&locks[0]);
    for (int i = 0; i < 3; i++)
        pthread_join(tids[i], 0);
    return 0;
}
