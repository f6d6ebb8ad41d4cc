// A `va_list` ends with the function that started it: the arguments are no longer there.
#include <stdarg.h>

static va_list kept;

static void keep(int count, ...)
{
    va_start(kept, count);
}

int main(void)
{
    keep(1, 42);
    return va_arg(kept, int) != 42;
}
