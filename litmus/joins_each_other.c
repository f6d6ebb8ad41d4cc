/* Of two threads that join each other one may be told so. */
#include <assert.h>
#include <pthread.h>

pthread_t first;

void *routine(void *unused) {
    int result = pthread_join(first, 0);
    assert(result == 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    first = pthread_self();
    pthread_create(&thread, 0, routine, 0);
    int result = pthread_join(thread, 0);
    assert(result == 0);
    return 0;
}
