/* There is no static initialiser for semaphores: one that is zero was never initialised. */
#include <semaphore.h>

sem_t s;

int main(void)
{
    sem_post(&s);
    return 0;
}
