/* A thread that waits for what never happens. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

int main(void)
{
    while (!flag)
        ;
    assert(0);
    return 0;
}
