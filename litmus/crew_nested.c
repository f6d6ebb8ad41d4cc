/* A thread waits for the thread that it has started, so that joining it is enough. */
#include <pthread.h>

static int data;

static void *inner(void *arg) { data = 1; return arg; }

static void *outer(void *arg)
{
    pthread_t tid;
    pthread_create(&tid, 0, inner, 0);
    pthread_join(tid, 0);
    data = 2;
    return arg;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_t tid;
        pthread_create(&tid, 0, outer, 0);
        pthread_join(tid, 0);
        data = 3;
    }
    return 0;
}
