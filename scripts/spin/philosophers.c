/* Dining philosophers for ever, who take the fork with the smaller number first. The Promela model
 * philosophers.pml is its counterpart: both have one step for each lock operation, and one for the
 * local steps before the first of them. */
#include <pthread.h>

#ifndef N
#define N 9
#endif

static pthread_mutex_t forks[N];

static void *philosopher(void *arg)
{
    long left = (long)arg;
    long right = (left + 1) % N;
    long first = left < right ? left : right;
    long second = left < right ? right : left;
    for (;;) {
        pthread_mutex_lock(&forks[first]);
        pthread_mutex_lock(&forks[second]);
        pthread_mutex_unlock(&forks[second]);
        pthread_mutex_unlock(&forks[first]);
    }
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, philosopher, (void *)i);
    pthread_join(threads[0], 0);
    return 0;
}
