/* A recursive mutex may be locked again by its holder, and an error-checking one tells. */
#define _GNU_SOURCE
#include <pthread.h>

pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_mutex_t e = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

int main(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&e);
    pthread_mutex_lock(&e);
    pthread_mutex_lock(&e);
    pthread_mutex_unlock(&e);
    return 0;
}
