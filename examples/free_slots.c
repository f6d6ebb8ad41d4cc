/* A pool of slots guarded by a semaphore that starts one too high.
 *
 * The semaphore lets in as many threads as it counts. It counts three, but there are only two slots.
 *
 *     mazurka check examples/free_slots.c    unsafe
 *
 * free_slots_fixed.c starts it with the number of slots.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#define SLOTS 2
#define USERS 3

static sem_t free_slots;
static atomic_int used = 0;

static void *user(void *arg)
{
    (void)arg;
    sem_wait(&free_slots);
    assert(atomic_fetch_add(&used, 1) < SLOTS);
    atomic_fetch_sub(&used, 1);
    sem_post(&free_slots);
    return NULL;
}

int main(void)
{
    pthread_t threads[USERS];
    sem_init(&free_slots, 0, SLOTS + 1);
    for (int i = 0; i < USERS; i++)
        pthread_create(&threads[i], NULL, user, NULL);
    for (int i = 0; i < USERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
