/* Two threads wait, and one of them is woken: the other one still waits when the condition variable is destroyed. */

#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int waiting;

static void *wait_once(void *arg) {
    pthread_mutex_lock(&m);
    waiting++;
    pthread_cond_wait(&turned, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, wait_once, 0);
    pthread_create(&second, 0, wait_once, 0);
    pthread_mutex_lock(&m);
    int both = waiting == 2;
    pthread_mutex_unlock(&m);
    if (!both) {
        return 0;
    }
    pthread_cond_signal(&turned);
    pthread_join(second, 0);
    pthread_cond_destroy(&turned);
    return 0;
}
