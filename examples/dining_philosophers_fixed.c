/* Dining philosophers who all eat: everybody takes the fork with the smaller number first, so there
 * is no circle of people who wait for each other.
 *
 *     mazurka check --property deadlock examples/dining_philosophers_fixed.c    safe
 *     mazurka check examples/dining_philosophers_fixed.c                        safe: all have eaten
 */
#include <assert.h>
#include <pthread.h>

#define PHILOSOPHERS 3

static pthread_mutex_t forks[PHILOSOPHERS];
static int meals[PHILOSOPHERS];

static void *philosopher(void *arg)
{
    long left = (long)arg;
    long right = (left + 1) % PHILOSOPHERS;
    long first = left < right ? left : right;
    long second = left < right ? right : left;
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    meals[left]++;
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return NULL;
}

int main(void)
{
    pthread_t threads[PHILOSOPHERS];
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < PHILOSOPHERS; i++)
        pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < PHILOSOPHERS; i++)
        assert(meals[i] == 1);
    return 0;
}
