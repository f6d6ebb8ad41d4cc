/* A semaphore on the heap that nobody has initialised. */
#include <semaphore.h>
#include <stdlib.h>

int main(void)
{
    sem_t *s = malloc(sizeof *s);
    if (s)
        sem_post(s);
    return 0;
}
