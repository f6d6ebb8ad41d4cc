/* A handle that `main` keeps beside what it gives to the thread: the join waits for that thread. */
#include <pthread.h>
#include <stdlib.h>

struct job {
    pthread_t handle;
    int number;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sum;

static void *work(void *arg)
{
    struct job *job = arg;
    pthread_mutex_lock(&lock);
    sum += job->number;
    pthread_mutex_unlock(&lock);
    return 0;
}

static struct job *start(int number)
{
    pthread_t handle;
    struct job *job = malloc(sizeof *job);
    if (!job)
        return 0;
    job->number = number;
    pthread_create(&handle, 0, work, job);
    job->handle = handle;
    return job;
}

int main(void)
{
    struct job *a = start(1);
    struct job *b = start(2);
    if (a && b) {
        pthread_join(a->handle, 0);
        pthread_join(b->handle, 0);
        sum++;
    }
    return 0;
}
