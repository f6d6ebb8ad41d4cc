/* A semaphore with two tokens is no lock. */
#include <pthread.h>
#include <semaphore.h>

static sem_t token;
static int data;

static void *worker(void *arg)
{
    sem_wait(&token);
    data++;
    sem_post(&token);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&token, 0, 2);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return data;
}
