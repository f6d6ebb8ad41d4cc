/* `abort` runs the handler of its signal before the process ends, also if the signal is held back. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

void reach_error(void);

static int count;

static void handler(int number)
{
    count = number;
    if (number == SIGABRT)
        reach_error();
}

static void *other(void *arg)
{
    count = 5;
    return arg;
}

int main(void)
{
    pthread_t thread;
    signal(SIGABRT, handler);
    pthread_create(&thread, 0, other, 0);
    abort();
}
