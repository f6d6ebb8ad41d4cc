/* The same lock, but another one takes its place while a thread may hold it. */
#include <pthread.h>
#include <stdlib.h>

typedef struct guard { pthread_mutex_t mutex; } *guard;

static guard shared;
int sum;

static int make(guard *result)
{
    *result = 0;
    guard made = malloc(sizeof *made);
    if (!made || pthread_mutex_init(&made->mutex, 0))
        return 0;
    *result = made;
    return 1;
}

static void *work(void *arg)
{
    pthread_mutex_lock(&shared->mutex);
    for (int i = 0; i < 2; i++)
        sum++;
    pthread_mutex_unlock(&shared->mutex);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    if (!make(&shared))
        return 0;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    make(&shared);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return sum;
}
