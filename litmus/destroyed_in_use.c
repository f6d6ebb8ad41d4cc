/* A mutex is destroyed while another thread may lock it. That is a mistake, but no data race: the library's own accesses
   are atomic, and what the late thread writes comes after what it found. */
#include <pthread.h>

static pthread_mutex_t lock;
int x;

static void *set(void *arg)
{
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_init(&lock, 0);
    pthread_create(&thread, 0, set, 0);
    pthread_mutex_lock(&lock);
    x = 0;
    pthread_mutex_unlock(&lock);
    pthread_mutex_destroy(&lock);
    return 0;
}
