/* Peterson's mutual exclusion between two threads, for ever. */
#include <assert.h>
#include <pthread.h>

_Atomic int flag0, flag1, turn;
int inside;

void *first(void *arg)
{
    for (;;) {
        flag0 = 1;
        turn = 1;
        while (flag1 == 1 && turn == 1)
            ;
        inside++;
        assert(inside == 1);
        inside--;
        flag0 = 0;
    }
}

void *second(void *arg)
{
    for (;;) {
        flag1 = 1;
        turn = 0;
        while (flag0 == 1 && turn == 0)
            ;
        inside++;
        assert(inside == 1);
        inside--;
        flag1 = 0;
    }
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
}
