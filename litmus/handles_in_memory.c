/* Handles that are compared byte by byte: the second thread may get the handle of the first. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

pthread_t first, second;

void *routine(void *unused) {
    return 0;
}

int main(void) {
    pthread_create(&first, 0, routine, 0);
    pthread_join(first, 0);
    pthread_create(&second, 0, routine, 0);
    assert(memcmp(&first, &second, sizeof first) != 0);
    pthread_join(second, 0);
    return 0;
}
