/* Functions for the end of the process run in the opposite order, also those that are added meanwhile. */
#include <assert.h>
#include <stdlib.h>

static int step;
static int *memory;

static void last(void) {
    assert(step == 3);
    free(memory);
}

static void added(void) {
    assert(step == 2);
    step = 3;
}

static void first(void) {
    assert(step == 1);
    step = 2;
    atexit(added);
}

int main(void) {
    memory = malloc(sizeof *memory);
    atexit(last);
    atexit(first);
    step = 1;
    return 0;
}
