/* Two threads add to or take from two variables, as it pleases them. */
#include <pthread.h>
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
#ifndef LIMIT
#define LIMIT 50
#endif
short x, y;
pthread_t thread;
void *walker(void *arg) {
    int me = (int)(long)arg;
    for (;;) {
        _Bool up = __VERIFIER_nondet_bool();
        _Bool which = __VERIFIER_nondet_bool();
        __VERIFIER_atomic_begin();
        if (which) {
            if (up && x < LIMIT)
                x += me + 1;
            else if (x > -LIMIT)
                x -= 2;
        } else {
            if (up && y < LIMIT)
                y += 1;
            else if (y > -LIMIT)
                y -= me + 1;
        }
        __VERIFIER_atomic_end();
    }
    return 0;
}
int main(void) {
    pthread_create(&thread, 0, walker, (void *)0L);
    pthread_create(&thread, 0, walker, (void *)1L);
    pthread_exit(0);
}
