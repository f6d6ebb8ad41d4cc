// How wide a character is, is not worked out; whether the assertion fails depends on it.
#include <assert.h>
#include <pthread.h>
#include <wchar.h>

int width;

void *look(void *argument) {
    int copy = width;
    assert(copy == 2);
    return argument;
}

int main(void) {
    pthread_t thread;
    width = 2 * wcwidth(L'a');
    pthread_create(&thread, 0, look, 0);
    pthread_join(thread, 0);
    return 0;
}
