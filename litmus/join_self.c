/* A thread that joins itself may be told so (EDEADLK). */
#include <pthread.h>

int main(void)
{
    pthread_join(pthread_self(), 0);
    return 0;
}
