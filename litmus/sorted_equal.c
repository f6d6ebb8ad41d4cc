/* Sorting may change the order of equal elements. */
#include <assert.h>
#include <stdlib.h>

struct pair {
    int key, value;
};

static int compare(const void *a, const void *b) {
    return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}

int main(void) {
    struct pair pairs[2] = {{1, 1}, {1, 2}};
    qsort(pairs, 2, sizeof *pairs, compare);
    assert(pairs[0].value == 1);
    return 0;
}
