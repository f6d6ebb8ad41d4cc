/* Two data that belong together, each behind a lock of its own: a reader can see the first of them
   changed and the second not yet. One writer, N readers. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

int first, second;
pthread_mutex_t of_first = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t of_second = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *arg)
{
    pthread_mutex_lock(&of_first);
    first = 1;
    pthread_mutex_unlock(&of_first);
    pthread_mutex_lock(&of_second);
    second = first + 1;
    pthread_mutex_unlock(&of_second);
    return 0;
}

void *reader(void *arg)
{
    int a, b;
    pthread_mutex_lock(&of_first);
    a = first;
    pthread_mutex_unlock(&of_first);
    if (a == 0)
        return 0;
    pthread_mutex_lock(&of_second);
    b = second;
    pthread_mutex_unlock(&of_second);
    assert(b == a + 1);
    return 0;
}

int main(void)
{
    pthread_t w, r[N];
    pthread_create(&w, 0, writer, 0);
    for (int i = 0; i < N; i++)
        pthread_create(&r[i], 0, reader, 0);
    pthread_join(w, 0);
    for (int i = 0; i < N; i++)
        pthread_join(r[i], 0);
    return 0;
}
