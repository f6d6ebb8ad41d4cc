/* Three threads, three locks, a circle. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m[3];

static void *take_two(void *arg)
{
    long at = (long)arg;
    pthread_mutex_lock(&m[at]);
    pthread_mutex_lock(&m[(at + 1) % 3]);
    pthread_mutex_unlock(&m[(at + 1) % 3]);
    pthread_mutex_unlock(&m[at]);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, take_two, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
