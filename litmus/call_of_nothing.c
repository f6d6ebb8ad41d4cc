// Another thread may not have set the function yet.
#include <pthread.h>
static int n;
static void (*handler)(int);
static void work(int by)
{
    n += by;
}
static void *init(void *unused)
{
    handler = work;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, init, 0);
    handler(1);
    pthread_join(thread, 0);
    return 0;
}
