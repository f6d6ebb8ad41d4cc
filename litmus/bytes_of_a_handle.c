/* How many bytes of a thread handle are zero is open. */
#include <assert.h>
#include <pthread.h>

static struct {
    char name[8];
    pthread_t thread;
} worker;

static void *work(void *arg)
{
    return arg;
}

int main(void)
{
    int set = 0;
    pthread_create(&worker.thread, 0, work, 0);
    for (unsigned i = 0; i < sizeof worker; i++)
        set += ((char *)&worker)[i] != 0;
    pthread_join(worker.thread, 0);
    assert(set < 4);
    return 0;
}
