// An address is written as hexadecimal digits by one thread and read back by another.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static const char digits[17] = "0123456789abcdef";
static char text[16];
static int value(char digit)
{
    for (int at = 0; at < 16; at++)
        if (digits[at] == digit)
            return at;
    return 0;
}
static void *reader(void *unused)
{
    uintptr_t address = 0;
    for (int at = 0; at < 16; at++)
        address = address * 16 + value(text[at]);
    *(int *)address = 1;
    return unused;
}
int main(void)
{
    int local = 0;
    for (int at = 0; at < 16; at++)
        text[at] = digits[(uintptr_t)&local >> (60 - 4 * at) & 15];
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    pthread_join(thread, 0);
    assert(local == 0);
    return 0;
}
