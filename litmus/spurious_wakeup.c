/* A wait may end without a signal, but nobody may rely on that. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&cond, &lock);
    assert(0);
    return 0;
}
