/* Two waits and one post: somebody waits for ever. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;

static void *first(void *arg) { sem_wait(&sem); return arg; }
static void *second(void *arg) { sem_wait(&sem); return arg; }

int main(void)
{
    pthread_t a, b;
    sem_init(&sem, 0, 0);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    sem_post(&sem);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
