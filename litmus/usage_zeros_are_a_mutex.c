/* Memory that holds zeros is a mutex that is initialised. */
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t global;

int main(void)
{
    pthread_mutex_t *heap = calloc(1, sizeof *heap);
    pthread_mutex_t local = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&global);
    pthread_mutex_unlock(&global);
    pthread_mutex_lock(&local);
    pthread_mutex_unlock(&local);
    if (heap) {
        pthread_mutex_lock(heap);
        pthread_mutex_unlock(heap);
    }
    return 0;
}
