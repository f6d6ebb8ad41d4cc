/* Other threads go on while destructors run. */
#include <pthread.h>

static int x;

__attribute__((destructor)) static void last(void) { x = 1; }

static void *write(void *arg)
{
    x = 2;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, write, 0);
    return 0;
}
