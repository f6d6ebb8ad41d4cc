/* An attempt to take a lock fails while the other thread holds it. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;

void *polite(void *arg) {
    if (pthread_mutex_trylock(&lock) == 0) {
        x = 1;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

void *owner(void *arg) {
    pthread_mutex_lock(&lock);
    x = 2;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, polite, 0);
    pthread_create(&t, 0, owner, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(x == 1 || x == 2);
}
