/* Of two threads one is detached and the other joined. */
#include <pthread.h>

int x;

static void *rest(void *arg) { return arg; }
static void *set(void *arg) { x = 1; return arg; }

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, rest, 0);
    pthread_detach(one);
    pthread_create(&other, 0, set, 0);
    pthread_join(other, 0);
    x = 2;
    return 0;
}
