/* Dekker's mutual exclusion between two threads, for ever. */
#include <assert.h>
#include <pthread.h>

_Atomic int want0, want1, turn;
int inside;

void *first(void *arg)
{
    for (;;) {
        want0 = 1;
        while (want1) {
            if (turn != 0) {
                want0 = 0;
                while (turn != 0)
                    ;
                want0 = 1;
            }
        }
        inside++;
        assert(inside == 1);
        inside--;
        turn = 1;
        want0 = 0;
    }
}

void *second(void *arg)
{
    for (;;) {
        want1 = 1;
        while (want0) {
            if (turn != 1) {
                want1 = 0;
                while (turn != 1)
                    ;
                want1 = 1;
            }
        }
        inside++;
        assert(inside == 1);
        inside--;
        turn = 0;
        want1 = 0;
    }
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
}
