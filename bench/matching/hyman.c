/* Hyman's mutual exclusion for two threads, which does not exclude; each counts its visits. */
#include <pthread.h>
#ifndef COUNT
#define COUNT 80
#endif
unsigned char wants[2], turn;
unsigned char visits[2];
pthread_t thread;
void *contender(void *arg) {
    int me = (int)(long)arg;
    for (;;) {
        wants[me] = 1;
        while (turn != me) {
            while (wants[1 - me])
                ;
            turn = (unsigned char)me;
        }
        visits[me] = (visits[me] + 1) % COUNT;
        wants[me] = 0;
    }
    return 0;
}
int main(void) {
    pthread_create(&thread, 0, contender, (void *)0L);
    pthread_create(&thread, 0, contender, (void *)1L);
    pthread_exit(0);
}
