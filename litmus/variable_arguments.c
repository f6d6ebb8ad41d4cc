/* Variable arguments: each call has its own, a list can be copied and passed on, and is moved by whom it is
   passed to. */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

static int first(va_list list) {
    return va_arg(list, int);
}

static int sum(int count, ...) {
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    int all = first(again);
    va_end(again);
    for (; count > 0; count--) {
        all += va_arg(list, int);
    }
    all += (int)va_arg(list, double);
    all += *va_arg(list, int *);
    va_end(list);
    return all;
}

static int (*by_pointer)(int, ...) = sum;

static void *worker(void *result) {
    int last = 100;
    *(int *)result = by_pointer(1, 1, 2.0, &last);
    return 0;
}

int main(void) {
    pthread_t thread;
    int other, last = 1000;
    pthread_create(&thread, 0, worker, &other);
    int own = sum(2, (short)1, 2L == 2 ? 2 : 0, 30.5f, &last);
    pthread_join(thread, 0);
    assert(own == 1034);
    assert(other == 104);
    return 0;
}
