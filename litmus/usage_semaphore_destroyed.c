/* The one who posts destroys the semaphore, though another thread may still wait. */
#include <pthread.h>
#include <semaphore.h>

sem_t s;

void *takes(void *arg)
{
    sem_wait(&s);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, takes, 0);
    pthread_create(&u, 0, takes, 0);
    sem_post(&s);
    pthread_join(t, 0);
    sem_destroy(&s);
    return 0;
}
