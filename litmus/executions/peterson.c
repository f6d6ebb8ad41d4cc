/* Peterson's algorithm. */
#include <assert.h>
#include <pthread.h>

int flag0, flag1, turn, inside;

void *left(void *arg) {
    flag0 = 1;
    turn = 1;
    while (flag1 == 1 && turn == 1)
        ;
    inside++;
    assert(inside == 1);
    inside--;
    flag0 = 0;
    return arg;
}

void *right(void *arg) {
    flag1 = 1;
    turn = 0;
    while (flag0 == 1 && turn == 0)
        ;
    inside++;
    assert(inside == 1);
    inside--;
    flag1 = 0;
    return arg;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, 0, left, 0);
    pthread_create(&r, 0, right, 0);
    pthread_join(l, 0);
    pthread_join(r, 0);
    return 0;
}
