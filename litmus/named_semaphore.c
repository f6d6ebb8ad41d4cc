/* A semaphore with a name, which is opened twice. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static int value;

static void *worker(void *unused) {
    sem_t *same = sem_open("/turn", 0);
    assert(same != SEM_FAILED);
    sem_wait(same);
    value++;
    sem_post(same);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_t *turn = sem_open("/turn", O_CREAT, 0600, 1);
    assert(turn != SEM_FAILED);
    assert(sem_open("/turn", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED);
    pthread_create(&thread, 0, worker, 0);
    sem_wait(turn);
    value++;
    sem_post(turn);
    pthread_join(thread, 0);
    assert(value == 2);
    sem_close(turn);
    assert(sem_unlink("/turn") == 0 && sem_open("/turn", 0) == SEM_FAILED);
    return 0;
}
