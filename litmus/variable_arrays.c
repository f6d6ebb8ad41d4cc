/* An array of variable length and `alloca`, whose sizes turn out to be constants. */
#include <alloca.h>
#include <pthread.h>

static void *worker(void *value) {
    *(int *)value = 1;
    return 0;
}

static void run(int count) {
    pthread_t threads[count];
    int *values = alloca(count * sizeof *values);
    for (int at = 0; at < count; at++) {
        pthread_create(&threads[at], 0, worker, &values[at]);
    }
    for (int at = 0; at < count; at++) {
        pthread_join(threads[at], 0);
    }
}

int main(void) {
    run(2);
    return 0;
}
