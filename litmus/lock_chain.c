/* Hand-over-hand locking in one direction: nobody waits in a circle. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m[3];
static int value[3];

static void *walk(void *arg)
{
    pthread_mutex_lock(&m[0]);
    value[0]++;
    for (int i = 1; i < 3; i++) {
        pthread_mutex_lock(&m[i]);
        pthread_mutex_unlock(&m[i - 1]);
        value[i]++;
    }
    pthread_mutex_unlock(&m[2]);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, walk, 0);
    pthread_create(&b, 0, walk, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(value[0] == 2 && value[1] == 2 && value[2] == 2);
    return 0;
}
