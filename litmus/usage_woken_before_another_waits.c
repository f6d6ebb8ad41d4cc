/* Everybody who waits is woken; another thread waits after that, and gives up. The condition variable may be destroyed although
   the first has not come back yet: whoever gave up has not taken its signal. (What is known of the rest is too little for
   more than unknown.) */

#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int waits, open;

static void *wait_for_it(void *arg) {
    pthread_mutex_lock(&m);
    waits = 1;
    while (!open) {
        pthread_cond_wait(&turned, &m);
    }
    pthread_mutex_unlock(&m);
    return arg;
}

static void *give_up(void *arg) {
    struct timespec past = { 0, 0 };
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&turned, &m, &past);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, wait_for_it, 0);
    pthread_mutex_lock(&m);
    int all = waits;
    if (all) {
        open = 1;
        pthread_cond_broadcast(&turned);
    }
    pthread_mutex_unlock(&m);
    if (!all) {
        return 0;
    }
    pthread_create(&second, 0, give_up, 0);
    pthread_join(second, 0);
    pthread_cond_destroy(&turned);
    pthread_join(first, 0);
    return 0;
}
