/* What happens before a thread starts and after it is joined does not race with it. */
#include <assert.h>
#include <pthread.h>

static int x;

static void *worker(void *arg) { x++; return arg; }

int main(void)
{
    pthread_t thread;
    x = 1;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    x++;
    assert(x == 3);
    return 0;
}
