/* A ticket lock between two threads, for ever: tickets of one byte start again at 0. */
#include <assert.h>
#include <pthread.h>

_Atomic unsigned char next_ticket, now_serving;
int inside;

void *worker(void *arg)
{
    for (;;) {
        unsigned char mine = next_ticket++;
        while (now_serving != mine)
            ;
        inside++;
        assert(inside == 1);
        inside--;
        now_serving++;
    }
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
}
