/* One thread pushes numbers on a stack, another one pops them and adds them up. */
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
#define SIZE 3
#ifndef N
#define N 5
#endif
unsigned char stack[SIZE], top, sum;
pthread_t thread;
void *pusher(void *arg) {
    (void)arg;
    unsigned char value = 0;
    for (;;) {
        __VERIFIER_atomic_begin();
        if (top < SIZE) {
            stack[top] = value;
            top++;
        }
        __VERIFIER_atomic_end();
        value = (value + 1) % N;
    }
    return 0;
}
void *popper(void *arg) {
    (void)arg;
    for (;;) {
        __VERIFIER_atomic_begin();
        if (top > 0) {
            top--;
            sum = (sum + stack[top]) % N;
        }
        __VERIFIER_atomic_end();
    }
    return 0;
}
int main(void) {
    pthread_create(&thread, 0, pusher, 0);
    pthread_create(&thread, 0, popper, 0);
    pthread_exit(0);
}
