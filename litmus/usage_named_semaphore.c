/* A semaphore with a name needs no initialisation of its own. */

#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    sem_t *one = sem_open("/one", O_CREAT, 0600, 1);
    if (one == SEM_FAILED) {
        return 1;
    }
    sem_wait(one);
    sem_post(one);
    sem_close(one);
    sem_unlink("/one");
    return 0;
}
