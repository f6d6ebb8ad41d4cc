/* An execution that an assumption cuts off counts for nothing. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&lock);
    __VERIFIER_assume(0);
    pthread_mutex_lock(&lock);
    assert(0);
    return 0;
}
