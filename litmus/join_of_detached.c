/* A thread that is detached is not waited for: glibc returns EINVAL from the join at once. */
#include <pthread.h>

int x;

static void *set(void *arg) { x = 1; return arg; }

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    pthread_detach(thread);
    pthread_join(thread, 0);
    x = 2;
    return 0;
}
