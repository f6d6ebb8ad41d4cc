/* A semaphore that has its largest value is raised. */
#include <limits.h>
#include <semaphore.h>

sem_t s;

int main(void)
{
    sem_init(&s, 0, INT_MAX);
    sem_post(&s);
    return 0;
}
