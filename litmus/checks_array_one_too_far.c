/* The same, but the last index is one too far. */
#include <stdlib.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);

static int *array, length, sum;

static void *reader(void *arg)
{
    for (int i = 0; i <= length; i++)
        sum = array[i];
    return arg;
}

int main(void)
{
    pthread_t thread;
    length = __VERIFIER_nondet_int();
    if (length < 0 || length > 1000)
        abort();
    array = malloc(sizeof(int) * (unsigned)length);
    for (int i = 0; i < length; i++)
        array[i] = i;
    pthread_create(&thread, 0, reader, 0);
    pthread_join(thread, 0);
    return 0;
}
