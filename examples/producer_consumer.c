/* Producer and consumers with a condition variable, wrong: the consumer checks with `if`.
 *
 * A consumer that was woken has to take the mutex again. Before it does, the other consumer can take
 * the only item; and a wait may also end for no reason at all. Either way it takes from an empty
 * buffer.
 *
 *     mazurka check examples/producer_consumer.c    unsafe
 *
 * producer_consumer_fixed.c checks again with `while`.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int items = 0;

static void *producer(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        items++;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *consumer(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    if (items == 0)
        pthread_cond_wait(&not_empty, &lock);
    assert(items > 0);
    items--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, producer, NULL);
    pthread_create(&threads[1], NULL, consumer, NULL);
    pthread_create(&threads[2], NULL, consumer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
