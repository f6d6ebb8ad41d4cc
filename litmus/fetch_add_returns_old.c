/* Read-modify-write operations return the old value, and two of them never the same. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int tickets;
static int got[2];

static void *first(void *arg) { got[0] = atomic_fetch_add(&tickets, 1); return arg; }
static void *second(void *arg) { got[1] = atomic_fetch_add(&tickets, 1); return arg; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(got[0] + got[1] == 1);
    assert(tickets == 2);
    return 0;
}
