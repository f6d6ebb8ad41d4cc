/* Two mutexes of which the bytes overlap: giving one back changes the other. */
#include <pthread.h>

static _Alignas(8) char memory[64];
static int data;

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock((pthread_mutex_t *)(memory + 16));
    data++;
    pthread_mutex_unlock((pthread_mutex_t *)(memory + 16));
    return 0;
}

static void *neighbour(void *arg)
{
    (void)arg;
    pthread_mutex_lock((pthread_mutex_t *)(memory + 14));
    pthread_mutex_unlock((pthread_mutex_t *)(memory + 14));
    return 0;
}

int main(void)
{
    pthread_t tids[3];
    pthread_create(&tids[0], 0, worker, 0);
    pthread_create(&tids[1], 0, worker, 0);
    pthread_create(&tids[2], 0, neighbour, 0);
    return 0;
}
