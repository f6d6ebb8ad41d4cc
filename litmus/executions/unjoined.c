/* Main does not wait: nothing that others do is lost for that. */
#include <assert.h>
#include <pthread.h>

int x, y;

void *worker(void *arg) {
    x = 1;
    y = x;
    return arg;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, worker, 0);
    pthread_create(&t, 0, worker, 0);
    return 0;
}
