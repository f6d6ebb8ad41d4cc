/* `main` leaves by `pthread_exit`; the last thread forgets what it was given. */
#include <pthread.h>
#include <stdlib.h>

static void *forget(void *arg)
{
    int *given = arg;
    *given = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, forget, malloc(sizeof(int)));
    pthread_exit(0);
}
