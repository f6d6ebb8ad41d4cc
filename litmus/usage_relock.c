/* A function that locks calls another one that locks the same mutex. */
#include <pthread.h>

pthread_mutex_t m;
int n;

void add(void)
{
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
}

int main(void)
{
    pthread_mutex_lock(&m);
    add();
    pthread_mutex_unlock(&m);
    return 0;
}
