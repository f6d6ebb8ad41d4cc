/* Three threads add to a counter, four times in all: it stays small. */
#include <pthread.h>

static int counter;

static void *once(void *arg)
{
    counter++;
    return arg;
}

static void *again(void *arg)
{
    counter++;
    return arg;
}

static void *twice(void *arg)
{
    counter++;
    counter++;
    return arg;
}

int main(void)
{
    pthread_t first, second, third;
    pthread_create(&first, 0, once, 0);
    pthread_create(&second, 0, again, 0);
    pthread_create(&third, 0, twice, 0);
    return 0;
}
