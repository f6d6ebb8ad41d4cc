// A local of main is written by the thread that was given its address.
#include <assert.h>
#include <pthread.h>

void *writer(void *arg)
{
    int *given = arg;
    *given = 2;
    return 0;
}

int main(void)
{
    int value = 1;
    pthread_t thread;
    pthread_create(&thread, 0, writer, &value);
    assert(value == 1);
    pthread_join(thread, 0);
    return 0;
}
