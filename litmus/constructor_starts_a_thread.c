/* A constructor starts a thread, which races with main. */
#include <pthread.h>

static int x;

static void *add(void *arg)
{
    x++;
    return arg;
}

__attribute__((constructor)) static void start(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
}

int main(void)
{
    x++;
    return 0;
}
