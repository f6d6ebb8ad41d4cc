/* The distance of an address from a null pointer is the number that the address is. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static char buffer[16];
static char *_Atomic cursor;
static unsigned long distance;

static void *measure(void *arg)
{
    distance = buffer - cursor;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, measure, 0);
    cursor = buffer;
    pthread_join(thread, 0);
    assert(distance < 0x100000);
    return 0;
}
