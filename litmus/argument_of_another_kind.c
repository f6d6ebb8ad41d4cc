/* A number among the variable arguments that is asked for as a pointer. */
#include <assert.h>
#include <stdarg.h>

static int x;

static void set(int count, ...) {
    va_list list;
    va_start(list, count);
    int *p = va_arg(list, int *);
    va_end(list);
    *p = 1;
}

int main(void) {
    set(1, (long)&x);
    assert(x == 0);
    return 0;
}
