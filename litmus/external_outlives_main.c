/* A large object that is defined elsewhere does not end with the first thread. */
#include <assert.h>
#include <pthread.h>

extern int large[100];
static pthread_t first;

static void *last(void *unused) {
    (void)unused;
    pthread_join(first, 0);
    large[3] = 1;
    assert(large[3] != 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    first = pthread_self();
    pthread_create(&thread, 0, last, 0);
    pthread_exit(0);
}
