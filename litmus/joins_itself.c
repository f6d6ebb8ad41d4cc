/* A thread that joins itself may be told so, or wait for ever: nothing is proved. */
#include <assert.h>
#include <pthread.h>

pthread_t thread;

void *routine(void *unused) {
    int result = pthread_join(thread, 0);
    assert(result == 0);
    return 0;
}

int main(void) {
    pthread_create(&thread, 0, routine, 0);
    pthread_exit(0);
}
