/* A function that prints by a format, under its own lock: numbers are no addresses. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    pthread_mutex_lock(&lock);
    vfprintf(stderr, format, list);
    pthread_mutex_unlock(&lock);
    va_end(list);
}

static void *worker(void *number) {
    int own = *(int *)number;
    say("%s %d of %ld\n", "thread", own, 2L);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2];
    for (int i = 0; i < 2; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], 0, worker, &numbers[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
