/* An execution in which all that could go on sleeps, and others wait for a lock: that one of these could have had the
   lock first has to be noticed there, or source sets miss one of the nine classes. */
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int x, y;

void *writer(void *arg) {
    pthread_mutex_lock(&b);
    x = 1;
    pthread_mutex_unlock(&b);
    return arg;
}

void *taker(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}

int main(void) {
    pthread_t w, t;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&t, 0, taker, 0);
    pthread_mutex_lock(&a);
    y = x;
    pthread_mutex_unlock(&a);
    pthread_join(w, 0);
    pthread_join(t, 0);
    return 0;
}
