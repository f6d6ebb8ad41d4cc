/* A function that takes one variable argument more than it was given. */
#include <stdarg.h>

static int second(int count, ...) {
    va_list list;
    va_start(list, count);
    (void)va_arg(list, int);
    int result = va_arg(list, int);
    va_end(list);
    return result;
}

int main(void) {
    return second(1, 5);
}
