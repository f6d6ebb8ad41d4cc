/* A timed wait ends without a signal, so nobody is stuck. */
#include <errno.h>
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

int main(void)
{
    struct timespec until = {1, 0};
    pthread_mutex_lock(&lock);
    int status = pthread_cond_timedwait(&cond, &lock, &until);
    assert(status == 0 || status == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    return 0;
}
