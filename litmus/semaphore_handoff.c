/* A semaphore hands data over. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t full;
static int data;

static void *first(void *arg) { data = 7; sem_post(&full); return arg; }
static void *second(void *arg)
{
    sem_wait(&full);
    assert(data == 7);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&full, 0, 0);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
