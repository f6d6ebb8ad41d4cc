/* A barrier for no thread. */
#include <pthread.h>

int main(void)
{
    pthread_barrier_t b;
    pthread_barrier_init(&b, 0, 0);
    return 0;
}
