/* Two threads count without a lock. */
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *arg) {
    x = x + 1;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x >= 1);
}
