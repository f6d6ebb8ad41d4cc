/* A mutex is initialised while another thread uses it: a race. */
#include <pthread.h>

static pthread_mutex_t lock;

static void *use(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, use, 0);
    pthread_mutex_init(&lock, 0);
    pthread_join(thread, 0);
    return 0;
}
