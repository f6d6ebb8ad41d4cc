/* Which lock is meant depends on a remainder: conditions that are hard for a solver must not use up more time than there is. */
#include <pthread.h>

static pthread_mutex_t m[3];

static void *take_two(void *arg)
{
    long at = (long)arg;
    pthread_mutex_lock(&m[at]);
    pthread_mutex_unlock(&m[(at + 1) % 3]);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, take_two, (void *)i);
    return 0;
}
