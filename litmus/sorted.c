/* Sorting moves elements of an array that another thread reads. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int numbers[3] = {3, 1, 2};

static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static void *reader(void *unused) {
    (void)unused;
    return numbers[0] > 3 ? numbers : 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    qsort(numbers, 3, sizeof *numbers, compare);
    pthread_join(thread, 0);
    assert(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 3);
    return 0;
}
