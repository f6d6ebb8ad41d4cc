// How wide a character is, is not worked out; but nothing depends on it, and an update can be lost.
#include <assert.h>
#include <pthread.h>
#include <wchar.h>

int counter, width;

void *increment(void *argument) {
    counter = counter + 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, increment, 0);
    width = 2 * wcwidth(L'a');
    counter = counter + 1;
    pthread_join(thread, 0);
    assert(counter == 2);
    return 0;
}
