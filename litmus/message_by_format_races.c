/* A function that prints by a format reads a text behind a number, which another thread changes. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static char name[4] = "abc";

static void say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

static void *worker(void *unused) {
    say("%d: %3.2s%%\n", 1, name);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    name[1] = 'x';
    pthread_join(thread, 0);
    return 0;
}
