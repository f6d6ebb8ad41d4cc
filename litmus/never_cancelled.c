/* A thread that forbids cancellation waits for ever, whoever wants it to end. */
#include <pthread.h>
#include <semaphore.h>

static sem_t items;

static void *worker(void *unused) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
    sem_wait(&items);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&items, 0, 0);
    pthread_create(&thread, 0, worker, 0);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    return 0;
}
