/* The length grows between the test and the access. */
#include <pthread.h>

static int array[4], length = 4;

static void *grow(void *arg)
{
    length = 6;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, grow, 0);
    for (int i = 0; i < length; i++)
        *(array + i) = i;
    pthread_join(thread, 0);
    return 0;
}
