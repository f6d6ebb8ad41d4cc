/* Dining philosophers: each takes the fork on the left, then the one on the right.
 *
 * When all of them hold their left fork, nobody ever eats.
 *
 *     mazurka check --property deadlock examples/dining_philosophers.c    unsafe
 *
 * In dining_philosophers_fixed.c one of them takes the forks in the other order.
 */
#include <pthread.h>

#define PHILOSOPHERS 3

static pthread_mutex_t forks[PHILOSOPHERS];
static int meals[PHILOSOPHERS];

static void *philosopher(void *arg)
{
    long left = (long)arg;
    long right = (left + 1) % PHILOSOPHERS;
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    meals[left]++;
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
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
    return 0;
}
